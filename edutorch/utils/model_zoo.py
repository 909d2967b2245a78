"""The older name of what `hub` does: checkpoints by their address."""

from ..hub import load_state_dict_from_url as load_url

__all__ = ["load_url"]
