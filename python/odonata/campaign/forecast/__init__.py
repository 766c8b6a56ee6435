"""What a campaign will cost: time and memory, from the scenario and from a short trial."""
