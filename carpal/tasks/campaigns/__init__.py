"""Campaigns: one task, many cases, on processes, a GPU or a cluster, with a journal and statistics."""
