"""The older name of functions in `hub`: checkpoints from URLs."""

from ..hub import load_state_dict_from_url as load_url

__all__ = ["load_url"]
