"""The modal engine's entries: some steps of many worlds under held forces and moving servo targets.

One for the time stepper and one for the accurate scheme, so that only the scheme in use is compiled.
"""

from carpal._core.compile import entry
from carpal.engines.modal.kernels.contact_table import SET_STEP
from carpal.engines.modal.kernels.event_step import event_step
from carpal.engines.modal.kernels.time_step import modal_step
from carpal.engines.modal.kernels.world_io import finish_step, load_world, refused, store_world
from carpal.kinematics.kernels.placement import place_world


@entry
def run_modal_steps(plant, steps, inputs, outputs, work, start, stop, stride, slot):
    """Take `steps` steps of every world; if `ledger[DONE]` is smaller, `ledger[ENDED]` is the status of the failure.

    plant: `Plant`; inputs, outputs, work: `Inputs`, `Outputs`, `Work` (`arrays.py`).
    """
    place_world(work.tables.search.placed, slot)
    dt, bad = plant.settings[SET_STEP], 0
    for world in range(start, stop, stride):
        if refused(inputs, world):
            bad = world + 1 if bad == 0 else bad
            continue
        count, dt_last = load_world(plant, work, inputs, outputs, world, slot), dt
        for k in range(steps):
            if count < 0:
                break
            count, dt_last = modal_step(
                plant, work, inputs.u, outputs.ledger, outputs.touch, dt, dt_last, k == steps - 1, world, slot, count
            )
            count = finish_step(plant, work, outputs.ledger, world, slot, count)
        store_world(work, outputs, count, dt_last, world, slot)
    return bad


@entry
def run_accurate_steps(plant, steps, inputs, outputs, accurate, start, stop, stride, slot):
    """As `run_modal_steps`, by the accurate scheme; accurate: `AccurateWork`."""
    work = accurate.step
    place_world(work.tables.search.placed, slot)
    dt, bad = plant.settings[SET_STEP], 0
    for world in range(start, stop, stride):
        if refused(inputs, world):
            bad = world + 1 if bad == 0 else bad
            continue
        count, dt_last = load_world(plant, work, inputs, outputs, world, slot), dt
        for k in range(steps):
            if count < 0:
                break
            count, dt_last = event_step(
                plant,
                accurate,
                inputs.u,
                outputs.ledger,
                outputs.touch,
                dt,
                dt_last,
                k == steps - 1,
                world,
                slot,
                count,
            )
            count = finish_step(plant, work, outputs.ledger, world, slot, count)
        store_world(work, outputs, count, dt_last, world, slot)
    return bad
