/** Scenes as the server sends them (`plyglass.core.scene`): shapes on a grid, lengths in cells. */
export type Point = [number, number];

interface Base {
  role: string;
  opacity?: number;
  tip?: string;
  key?: string;
  thing?: string;
}

export type Shape = Base &
  (
    | { kind: "Tile"; x: number; y: number; value?: number | null }
    | { kind: "Disc"; x: number; y: number; radius: number }
    | { kind: "Polygon"; points: Point[] }
    | { kind: "Path"; points: Point[]; dashed?: boolean; arrow?: boolean; width: number }
    | { kind: "Ring"; x: number; y: number; width: number; height: number }
    | { kind: "Label"; x: number; y: number; text: string; size: number }
    | { kind: "Bar"; x: number; y: number; share: number; width: number }
    | CardShape
  );

export interface CardShape {
  kind: "Card";
  x: number;
  y: number;
  width: number;
  height: number;
  title: string;
  cost?: string;
  corner?: string;
  text?: string;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where a key is: a box, and the shape that fills it, if one does. */
export interface Spot extends Box {
  outline?: Shape;
}

export interface Region extends Box {
  name: string;
}

export interface Scene {
  width: number;
  height: number;
  shapes: Shape[];
  title: string;
  caption: string[];
  ground: string;
  regions?: Region[];
}
