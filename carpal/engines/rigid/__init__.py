"""Joint space without contact: articulated bodies, prescribed or actuated joints."""
