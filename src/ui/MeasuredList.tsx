import { windowedPart } from './windowed-part'

/** A list whose lines are unequally high. */
export const MeasuredList = windowedPart((parts) => parts.DrawnList)
