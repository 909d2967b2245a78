"""PyTorch's place of the contexts that detect anomalies."""

from .modes import detect_anomaly, set_detect_anomaly

__all__ = ["detect_anomaly", "set_detect_anomaly"]
