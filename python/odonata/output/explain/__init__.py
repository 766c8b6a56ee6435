"""Why jobs are slow: what ``odonata explain`` says, and the report's chapter about it."""
