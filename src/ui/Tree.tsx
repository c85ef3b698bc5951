import { windowedPart } from './windowed-part'

export type { TreeChildren, TreeNode } from '~/ui/tree/tree-rows'

export const Tree = windowedPart((parts) => parts.DrawnTree)
