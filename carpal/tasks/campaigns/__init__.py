"""Campaigns: one task asked many times, on processes, a GPU or a cluster, with a journal and answers."""
