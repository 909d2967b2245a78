/** What each key does in a graph. */
import { consume } from "./dom";
import { type Direction as Arrow, isDirection } from "./graph_keyboard";

const ZOOM = 1.25;
/** pixels */
const PAN = 60;

export const HELP =
  "Arrow keys follow edges, Enter opens a module or shows a node, Shift+Enter closes the " +
  "module around it, slash searches, plus and minus zoom, 0 fits, L turns the graph, F fills the screen, Escape closes.";

/** The commands of the view. */
export interface Actions {
  move(key: Arrow): void;
  pan(dx: number, dy: number): void;
  /** go to the first or the last box */
  end(last: boolean): void;
  zoom(factor: number): void;
  fit(): void;
  turn(): void;
  search(): void;
  /** open what has the focus, or close the module around it */
  enter(close: boolean): void;
  escape(): void;
}

/** Handle a key; the page does not see keys that have a meaning here. */
export function pressed(event: KeyboardEvent, actions: Actions): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { key, shiftKey } = event;
  if (isDirection(key)) arrow(key, shiftKey, actions);
  else if (!command(key, shiftKey, actions)) return;
  consume(event);
}

function arrow(key: Arrow, pan: boolean, actions: Actions): void {
  if (!pan) {
    actions.move(key);
    return;
  }
  const [dx, dy] = {
    ArrowUp: [0, 1],
    ArrowDown: [0, -1],
    ArrowLeft: [1, 0],
    ArrowRight: [-1, 0],
  }[key];
  actions.pan(dx * PAN, dy * PAN);
}

/** Returns false for other keys. */
function command(key: string, shift: boolean, actions: Actions): boolean {
  const commands: Record<string, () => void> = {
    Enter: () => actions.enter(shift),
    " ": () => actions.enter(shift),
    Escape: () => actions.escape(),
    Home: () => actions.end(false),
    End: () => actions.end(true),
    "/": () => actions.search(),
    "+": () => actions.zoom(ZOOM),
    "=": () => actions.zoom(ZOOM),
    "-": () => actions.zoom(1 / ZOOM),
    "0": () => actions.fit(),
    l: () => actions.turn(),
  };
  commands[key]?.();
  return key in commands;
}
