import { windowedPart } from './windowed-part'

export type { GridProps } from './grid/DrawnGrid'

export const Grid = windowedPart((parts) => parts.DrawnGrid)
