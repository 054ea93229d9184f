/** A scene that can be clicked, touched and used by keyboard. It knows nothing of any game. */
import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { area, boxesOfKeys, boxOf, centre, extent, nearestKey, nextKey, regionOf, union } from "./geometry";
import { colour, marks } from "./marks";
import type { Box, Point, Scene, Shape, Spot } from "./types";
import { useZoom } from "./zoom";

const GLIDE = 220; // milliseconds in which things move
const MOST_GLIDES = 12; // ways of things that move at once; more are shown at their places
const FLASH = 900; // milliseconds in which changes are marked
const FINGER = 22; // pixels beside a key that still mean the key
const SMALL = 26; // pixels of a cell below which a board offers to zoom
const DOCKED = 560; // pixels below which a phone shows the regions of a scene one below the other
const PHONE = "(max-width: 900px)"; // where the page scrolls, as in the style sheets
const ARROWS: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export interface BoardProps {
  scene: Scene;
  /** Keys that can be chosen now, with what a screen reader says of each. */
  live?: Map<string, string>;
  chosen?: string[];
  onKey?: (key: string) => void;
  /** Whether changes since the last scene are marked: somebody else made them. */
  flash?: boolean;
  describedBy?: string;
}

const NONE = new Map<string, string>();

/** A scene; on a narrow screen its regions are docked one below the other. */
export function Board(props: BoardProps) {
  const [frame, width] = useWidth();
  const { scene } = props;
  const regions = scene.regions ?? [];
  const docked = width > 0 && width < DOCKED && regions.length > 1 && matchMedia(PHONE).matches;
  const parts = useMemo(() => (docked ? split(scene) : [{ name: "", scene, box: extent(scene) }]), [scene, docked]);
  return (
    <div className={docked ? "boards docked" : "boards"} ref={frame}>
      {parts.map((part) => (
        <Sheet
          {...props}
          key={part.name}
          scene={part.scene}
          box={part.box}
          name={part.name}
          small={width > 0 && width / part.box.width < SMALL}
        />
      ))}
    </div>
  );
}

/** The regions of a scene as scenes of their own. */
function split(scene: Scene): { name: string; scene: Scene; box: Box }[] {
  const regions = scene.regions ?? [];
  const shapes = new Map(regions.map((region) => [region, [] as Shape[]]));
  for (const shape of scene.shapes) {
    const region = regionOf(shape, regions);
    if (region) shapes.get(region)?.push(shape);
  }
  return regions.map((region) => ({
    name: region.name,
    scene: { ...scene, shapes: shapes.get(region) ?? [] },
    box: region,
  }));
}

function useWidth(): [React.RefObject<HTMLDivElement | null>, number] {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    setWidth(element.clientWidth);
    const watch = new ResizeObserver(() => setWidth(element.clientWidth));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return [frame, width];
}

interface Size {
  width: number;
  height: number;
}

/**
 * The size of an element in pixels, without asking the page, which would have to be laid out.
 *
 * Layers take this size. With relative sizes, each change beside a board would lay out all its shapes.
 */
function usePixels(element: React.RefObject<HTMLElement | null>): React.RefObject<Size> {
  const size = useRef<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const watched = element.current;
    if (!watched) return;
    const watch = new ResizeObserver(() => {
      size.current = { width: watched.clientWidth, height: watched.clientHeight };
      watched.style.setProperty("--across", `${size.current.width}px`);
      watched.style.setProperty("--down", `${size.current.height}px`);
    });
    watch.observe(watched);
    return () => watch.disconnect();
  }, [element]);
  return size;
}

interface SheetProps extends BoardProps {
  /** Whether the cells are too small for a finger. */
  small: boolean;
  box: Box;
  name: string;
}

function Sheet({ scene, box, name, small, live = NONE, chosen = [], onKey, flash = false, describedBy }: SheetProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const boxes = useMemo(() => boxesOfKeys(scene.shapes), [scene]);
  const lit = useMemo(() => livingBoxes(boxes, live), [boxes, live]);
  const [focus, setFocus] = useState("");
  const { view, zoomed, show, reset, handlers } = useZoom(sheet, box);
  const part = `${view.x} ${view.y} ${view.width} ${view.height}`;
  const changed = useChanges(scene, flash);
  const size = usePixels(sheet);
  const current = lit.has(focus) ? focus : (lit.keys().next().value ?? "");

  const onKeyDown = (event: KeyboardEvent) => {
    const direction = ARROWS[event.key];
    const key = (event.target as Element).getAttribute("data-live") ?? current;
    if (direction) {
      event.preventDefault();
      const next = nextKey(lit, key, direction);
      if (next !== undefined) {
        setFocus(next);
        sheet.current?.querySelector<SVGElement>(`[data-live="${CSS.escape(next)}"]`)?.focus();
      }
    } else if ((event.key === "Enter" || event.key === " ") && key && onKey) {
      event.preventDefault();
      setFocus(key);
      onKey(key);
    }
  };
  const onClick = (event: PointerEvent | React.MouseEvent) => {
    if (!onKey) return;
    const own = (event.target as Element).closest("[data-key]")?.getAttribute("data-key");
    const touched = own && (live.has(own) || chosen.includes(own)) ? own : near(sheet.current, lit, event);
    const key = touched ?? own;
    if (key) {
      setFocus(key);
      onKey(key);
    } else if (chosen.length > 0) onKey("");
  };
  return (
    <figure className={`board ${name}`} style={{ "--ratio": box.width / box.height } as React.CSSProperties}>
      {/* biome-ignore lint/a11y/useSemanticElements: a board of buttons has no element of its own */}
      <div
        ref={sheet}
        role="group"
        aria-label={name || scene.title || "Board"}
        aria-describedby={describedBy}
        className={zoomed ? "sheet zoomed" : "sheet"}
        onKeyDown={onKeyDown}
        onClick={onClick}
        {...handlers}
      >
        <Shapes scene={scene} part={part} size={size} />
        <div className="layer above">
          <svg className="changes" viewBox={part} aria-hidden="true" key={changed.number}>
            {changed.boxes.map((each) => (
              <rect key={`${each.x},${each.y},${each.width}`} {...grown(each, 0.02)} rx={0.12} />
            ))}
          </svg>
        </div>
        <div className="layer above">
          {/* biome-ignore lint/a11y/noSvgWithoutTitle: its parts are buttons with names of their own */}
          <svg className="overlay" viewBox={part}>
            <Overlay boxes={boxes} lit={lit} live={live} chosen={chosen} current={current} onFocus={setFocus} />
          </svg>
        </div>
      </div>
      {zoomed || (small && onKey) ? (
        <button
          type="button"
          className={zoomed || lit.size > 0 ? "fit" : "fit idle"}
          onClick={zoomed ? reset : () => show(grown([...lit.values()].flat<Box[][]>().reduce(union), 0.8))}
        >
          {zoomed ? "Show all" : "Zoom in"}
        </button>
      ) : null}
    </figure>
  );
}

/** The ground and all shapes. It is a picture of its own: highlights above it change much more often. */
const Shapes = memo(function Shapes({
  scene,
  part,
  size,
}: {
  scene: Scene;
  part: string;
  size: React.RefObject<Size>;
}) {
  const svg = useRef<SVGSVGElement>(null);
  const above = useRef<HTMLDivElement>(null);
  useGlide(svg, above, size, scene, part);
  return (
    <>
      <div className="layer">
        <svg ref={svg} viewBox={part} className="shapes" aria-hidden="true">
          <Ground width={scene.width} height={scene.height} role={scene.ground} />
          <g>
            {named(scene).map(([id, shape]) => (
              <Mark key={id} id={id} shape={shape} />
            ))}
          </g>
        </svg>
      </div>
      <div className="layer above" ref={above} />
    </>
  );
});

/** A shape as text, by which equal ones are told; shapes never change. */
function textOf(shape: Shape): string {
  const known = texts.get(shape) ?? JSON.stringify(shape);
  texts.set(shape, known);
  return known;
}
const texts = new WeakMap<Shape, string>();

/** A name for every shape that stays from scene to scene, so the browser keeps its element. */
function named(scene: Scene): [string, Shape][] {
  const known = names.get(scene) ?? namesOf(scene.shapes);
  names.set(scene, known);
  return known;
}
const names = new WeakMap<Scene, [string, Shape][]>();

function namesOf(shapes: Shape[]): [string, Shape][] {
  const seen = new Map<string, number>();
  return shapes.map((shape) => {
    const base = shape.thing ? `${shape.thing}/${shape.kind}` : `${shape.kind}`;
    const number = seen.get(base) ?? 0;
    seen.set(base, number + 1);
    return [`${base}/${number}`, shape];
  });
}

/** The boxes of live keys, the largest first, so small ones lie on top. */
function livingBoxes(boxes: Map<string, Spot[]>, live: Map<string, string>): Map<string, Spot[]> {
  const size = ([first]: Spot[]) => (first ? area(first) : 0);
  const found = [...boxes].filter(([key]) => live.has(key));
  return new Map(found.sort(([, a], [, b]) => size(b) - size(a)));
}

function near(sheet: HTMLElement | null, lit: Map<string, Spot[]>, event: { clientX: number; clientY: number }) {
  const matrix = sheet?.querySelector("svg")?.getScreenCTM();
  if (!matrix) return undefined;
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  return nearestKey(lit, [x, y], FINGER / matrix.a);
}

const grown = (box: Box, by: number): Box => ({
  x: box.x - by,
  y: box.y - by,
  width: box.width + 2 * by,
  height: box.height + 2 * by,
});

/** The frame of a highlight: along the shape that fills the place, or around all of it. */
function Frame({
  spot,
  children,
  ...rest
}: { spot: Spot } & React.SVGProps<SVGElement> & Record<`data-${string}`, string>) {
  const { outline } = spot;
  const given = rest as Record<string, unknown>;
  if (outline?.kind === "Polygon") {
    return (
      <polygon points={outline.points.join(" ")} strokeLinejoin="round" {...given}>
        {children}
      </polygon>
    );
  }
  if (outline?.kind === "Disc") {
    return (
      <circle cx={outline.x} cy={outline.y} r={outline.radius} {...given}>
        {children}
      </circle>
    );
  }
  return (
    <rect {...grown(spot, -0.02)} rx={Math.min(0.14, spot.width / 3, spot.height / 3)} {...given}>
      {children}
    </rect>
  );
}

const Ground = memo(function Ground({ width, height, role }: { width: number; height: number; role: string }) {
  const lines: string[] = [];
  for (let x = 1; x < width; x++) lines.push(`M${x},0V${height}`);
  for (let y = 1; y < height; y++) lines.push(`M0,${y}H${width}`);
  return (
    <g className="ground">
      <rect width={width} height={height} rx={0.1} fill={colour(role)} />
      <path d={lines.join("")} stroke={colour("grid")} strokeWidth={0.025} />
    </g>
  );
});

const Mark = memo(
  function Mark({ id, shape }: { id: string; shape: Shape }) {
    const { key, thing, tip, opacity = 1 } = shape;
    if (opacity === 0 && !key && !tip) return null;
    return (
      <g
        className={`shape ${shape.kind} ${shape.role}`}
        data-key={key || undefined}
        data-thing={thing ? id : undefined}
        opacity={opacity < 1 ? opacity : undefined}
      >
        {tip ? <title>{tip}</title> : null}
        {marks(shape)}
      </g>
    );
  },
  (before, after) => textOf(before.shape) === textOf(after.shape),
);

interface OverlayProps {
  boxes: Map<string, Spot[]>;
  lit: Map<string, Spot[]>;
  live: Map<string, string>;
  chosen: string[];
  current: string;
  onFocus: (key: string) => void;
}

/** Highlights above the shapes, since an invisible tile hides its own stroke; they take the clicks. */
function Overlay({ boxes, lit, live, chosen, current, onFocus }: OverlayProps) {
  const look = (key: string) => (chosen.includes(key) ? "live chosen" : "live");
  return (
    <>
      {[...lit].flatMap(([key, [first, ...more]]) => [
        ...more.map((spot) => (
          <Frame
            key={`${key}/${spot.x},${spot.y}`}
            spot={spot}
            className={look(key)}
            data-key={key}
            aria-hidden="true"
          />
        )),
        first ? (
          <Frame
            key={key}
            spot={first}
            className={look(key)}
            role="button"
            aria-label={live.get(key)}
            aria-pressed={chosen.includes(key) ? true : undefined}
            tabIndex={key === current ? 0 : -1}
            data-key={key}
            data-live={key}
            onFocus={() => onFocus(key)}
          >
            <title>{live.get(key)}</title>
          </Frame>
        ) : null,
      ])}
      {chosen
        .filter((key) => !lit.has(key))
        .flatMap((key) =>
          (boxes.get(key) ?? []).map((spot) => (
            <Frame key={`${key}/${spot.x},${spot.y}`} spot={spot} className="chosen" data-key={key} />
          )),
        )}
    </>
  );
}

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Lets things that have moved since the last scene glide to their places, and new ones appear.
 *
 * What moves is copied into a picture of its own above the board, which the compositor moves: an
 * animation inside a picture would lay out and paint all of it in every frame.
 */
function useGlide(
  svg: React.RefObject<SVGSVGElement | null>,
  above: React.RefObject<HTMLDivElement | null>,
  size: React.RefObject<Size>,
  scene: Scene,
  part: string,
) {
  const before = useRef<Map<string, Box>>(undefined);
  const shown = useRef(part);
  const running = useRef<(() => void)[]>([]);
  useLayoutEffect(() => {
    for (const rest of running.current.splice(0)) rest();
    const things = named(scene).filter(([, shape]) => shape.thing);
    const now = new Map(things.map(([id, shape]) => [id, boxOf(shape)]));
    const then = before.current;
    const moved = shown.current !== part; // zooming moves everything at once
    before.current = now;
    shown.current = part;
    const board = svg.current;
    if (!board || !then || then.size === 0 || moved || still()) return;
    const groups = new Map<string, SVGGElement[]>();
    for (const element of board.querySelectorAll<SVGGElement>("[data-thing]")) {
      const id = element.getAttribute("data-thing") ?? "";
      const way = wayOf(then.get(id), now.get(id));
      if (way) groups.set(way, [...(groups.get(way) ?? []), element]);
    }
    if (groups.size > MOST_GLIDES) return; // all of it is new
    if (groups.size === 0) return;
    const [, , width = 1, height = 1] = part.split(" ").map(Number);
    const cell = Math.min(size.current.width / width, size.current.height / height);
    running.current = [...groups].map(([way, elements]) => {
      const layer = board.cloneNode(false) as SVGSVGElement;
      above.current?.append(layer);
      return float(layer, elements, way, cell);
    });
  }, [scene, svg, above, part, size]);
}

/** How a thing comes to its place: from how many cells away, or "new"; nothing if it was there. */
function wayOf(from: Box | undefined, to: Box | undefined): string {
  if (!to) return "";
  if (!from) return "new";
  const [[x, y], [toX, toY]] = [centre(from), centre(to)];
  return Math.hypot(x - toX, y - toY) > 0.02 ? `${x - toX},${y - toY}` : "";
}

/** Lets a picture with copies of elements come to its place. Returns what ends it. */
function float(layer: SVGSVGElement, elements: SVGGElement[], way: string, cell: number): () => void {
  for (const element of elements) {
    layer.append(element.cloneNode(true));
    element.style.visibility = "hidden";
  }
  const [dx = 0, dy = 0] = way === "new" ? [] : way.split(",").map(Number);
  const start = way === "new" ? { opacity: 0 } : { transform: `translate(${dx * cell}px, ${dy * cell}px)` };
  const end = way === "new" ? { opacity: 1 } : { transform: "none" };
  const motion = layer.animate([start, end], { duration: GLIDE, easing: "cubic-bezier(.3,.7,.3,1)" });
  const rest = () => {
    for (const element of elements) element.style.visibility = "";
    layer.remove();
  };
  motion.onfinish = rest;
  return rest;
}

interface Changes {
  boxes: Box[];
  /** Which change it is: each is shown by a new element, whose animation begins anew. */
  number: number;
}

/** Boxes without those inside another: a mark within a marked thing says nothing. */
function outermost(boxes: Box[]): Box[] {
  return boxes.filter(
    (box) => !boxes.some((other) => area(other) > area(box) && area(union(other, box)) === area(other)),
  );
}

/** The boxes of shapes that are new since the last scene, for a moment. */
function useChanges(scene: Scene, flash: boolean): Changes {
  const before = useRef<Scene>(undefined);
  const [changed, setChanged] = useState<Changes>({ boxes: [], number: 0 });
  useEffect(() => {
    const then = before.current;
    before.current = scene;
    if (!then || !flash || then === scene) return;
    const known = new Set(then.shapes.map(textOf));
    const fresh = scene.shapes.filter(
      (shape) => shape.opacity !== 0 && shape.kind !== "Path" && !known.has(textOf(shape)),
    );
    const whole = new Map<string, Box>(); // a thing is pointed at as a whole
    for (const shape of scene.shapes) {
      const known = shape.thing ? whole.get(shape.thing) : undefined;
      if (shape.thing) whole.set(shape.thing, known ? union(known, boxOf(shape)) : boxOf(shape));
    }
    const boxes = fresh.map((shape) => whole.get(shape.thing ?? "") ?? boxOf(shape));
    const unique = new Map(boxes.map((box) => [`${box.x},${box.y},${box.width}`, box]));
    if (unique.size === 0 || unique.size > 40) return; // all of it is new: there is nothing to point at
    setChanged(({ number }) => ({ boxes: outermost([...unique.values()]), number: number + 1 }));
    const timer = setTimeout(() => setChanged(({ number }) => ({ boxes: [], number })), FLASH);
    return () => clearTimeout(timer);
  }, [scene, flash]);
  return changed;
}
