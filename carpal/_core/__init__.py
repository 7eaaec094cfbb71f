"""What every room stands on: compiling and running kernels, batches, results, errors, progress."""
