from .followed_payload import follow_payload as follow_payload
from .path_shortening import shorten_path as shorten_path
from .plan_query import plan as plan
from .plan_query import plan_each as plan_each
from .plan_result import PlanResult as PlanResult
