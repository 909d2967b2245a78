/** The style sheet of all views; colours are `theme.ts`'s. */
import { ERROR, LEAKS, NAN, TENSOR } from "./card_sheet";
import { CHART, LANES, OWNERS, RUN, TIMELINE } from "./chart_sheet";
import { GRAPH } from "./graph_sheet";
import { BASE, HOSTS, PLACES } from "./shell_sheet";
import { STEPPER } from "./step_sheet";

export const STYLE =
  HOSTS +
  BASE +
  GRAPH +
  PLACES +
  CHART +
  OWNERS +
  TENSOR +
  NAN +
  ERROR +
  RUN +
  TIMELINE +
  STEPPER +
  LANES +
  LEAKS;
