"""What every package needs: the compiled simulator, errors, files, quantities, memory, arguments.

What this package does not know: scenarios, results, what anything means that it reads or writes.
"""
