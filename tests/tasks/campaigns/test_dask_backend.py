import pytest

from carpal.errors import CarpalError
from carpal.tasks.campaigns.dask_backend import run_on_dask
from carpal.tasks.campaigns.study import Study


def test_a_cluster_that_goes_away_is_one_sentence():
    """The scheduler dies after the first rows."""
    from dask.distributed import LocalCluster

    study = Study("tasks.campaigns.small_tasks:Coin", {"slow": 0.05}, seeds=tuple(range(400)))
    cluster = LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50)
    rows = run_on_dask(study, iter(range(400)), cluster.scheduler_address)
    seen = [next(rows)]
    cluster.close()
    with pytest.raises(CarpalError, match=r"went away.*kept"):
        seen.extend(rows)
    assert 0 < len(seen) < 400
