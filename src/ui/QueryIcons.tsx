import {
  ChartLine,
  CirclePlus,
  CodeXml,
  Ellipsis,
  Eye,
  FileUp,
  Folder,
  History,
  Library,
  Pin,
  Plus,
  Save,
  Search,
  Sigma,
} from 'lucide-react'
import { icon } from '~/ui/Icon'

// Apart from the other icons, which every page loads.
export const InsertIcon = /* @__PURE__ */ icon(CirclePlus)
export const ChartIcon = /* @__PURE__ */ icon(ChartLine)
export const CountIcon = /* @__PURE__ */ icon(Sigma)
export const PreviewIcon = /* @__PURE__ */ icon(Eye)
export const HistoryIcon = /* @__PURE__ */ icon(History)
export const PinIcon = /* @__PURE__ */ icon(Pin)
export const SearchIcon = /* @__PURE__ */ icon(Search)
export const AddIcon = /* @__PURE__ */ icon(Plus)
export const FolderIcon = /* @__PURE__ */ icon(Folder)
export const LibraryIcon = /* @__PURE__ */ icon(Library)
export const ScriptIcon = /* @__PURE__ */ icon(FileUp)
export const SaveIcon = /* @__PURE__ */ icon(Save)
export const MoreIcon = /* @__PURE__ */ icon(Ellipsis)
export const CodeIcon = /* @__PURE__ */ icon(CodeXml)
