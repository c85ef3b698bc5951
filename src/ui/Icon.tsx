import {
  BookOpen,
  Check,
  ChevronDown,
  ChevronRight,
  CircleAlert,
  CircleCheck,
  CircleUser,
  Columns3,
  Copy,
  Database,
  Diff,
  Download,
  FileText,
  GitCommitVertical,
  Info,
  Keyboard,
  KeyRound,
  LayoutDashboard,
  Link2,
  Lock,
  LogOut,
  type LucideIcon,
  Moon,
  PanelLeft,
  PanelLeftClose,
  Play,
  RefreshCw,
  ScrollText,
  Server,
  Settings,
  ShieldCheck,
  Square,
  SquareTerminal,
  Sun,
  Table2,
  Trash2,
  TriangleAlert,
  Unplug,
  Users,
  X,
} from 'lucide-react'

type IconProps = { size?: 16 | 20; className?: string }

/** Icons are decoration: the name always comes from the text or label beside them. */
export function icon(Shape: LucideIcon) {
  return function Icon({ size = 16, className }: IconProps) {
    return (
      <Shape
        absoluteStrokeWidth
        aria-hidden="true"
        focusable="false"
        size={size}
        strokeWidth={1.5}
        {...(className && { className })}
      />
    )
  }
}

export const CompareIcon = /* @__PURE__ */ icon(Diff)
export const TransactionsIcon = /* @__PURE__ */ icon(GitCommitVertical)
export const AuditIcon = /* @__PURE__ */ icon(ScrollText)
export const BookIcon = /* @__PURE__ */ icon(BookOpen)
export const CheckIcon = /* @__PURE__ */ icon(CircleCheck)
export const ChevronDownIcon = /* @__PURE__ */ icon(ChevronDown)
export const ChevronRightIcon = /* @__PURE__ */ icon(ChevronRight)
export const CloseIcon = /* @__PURE__ */ icon(X)
export const CollapseIcon = /* @__PURE__ */ icon(PanelLeftClose)
export const ColumnIcon = /* @__PURE__ */ icon(Columns3)
export const CopyIcon = /* @__PURE__ */ icon(Copy)
export const DatabaseIcon = /* @__PURE__ */ icon(Database)
export const DocumentIcon = /* @__PURE__ */ icon(FileText)
export const DownloadIcon = /* @__PURE__ */ icon(Download)
export const ErrorIcon = /* @__PURE__ */ icon(CircleAlert)
export const InfoIcon = /* @__PURE__ */ icon(Info)
export const KeyIcon = /* @__PURE__ */ icon(KeyRound)
export const KeyboardIcon = /* @__PURE__ */ icon(Keyboard)
export const LinkIcon = /* @__PURE__ */ icon(Link2)
export const LockIcon = /* @__PURE__ */ icon(Lock)
export const LogOutIcon = /* @__PURE__ */ icon(LogOut)
export const MoonIcon = /* @__PURE__ */ icon(Moon)
export const OfflineIcon = /* @__PURE__ */ icon(Unplug)
export const OverviewIcon = /* @__PURE__ */ icon(LayoutDashboard)
export const RefreshIcon = /* @__PURE__ */ icon(RefreshCw)
export const RunIcon = /* @__PURE__ */ icon(Play)
export const ServersIcon = /* @__PURE__ */ icon(Server)
export const SettingsIcon = /* @__PURE__ */ icon(Settings)
export const ShieldIcon = /* @__PURE__ */ icon(ShieldCheck)
export const SidebarIcon = /* @__PURE__ */ icon(PanelLeft)
export const StopIcon = /* @__PURE__ */ icon(Square)
export const SunIcon = /* @__PURE__ */ icon(Sun)
export const TableIcon = /* @__PURE__ */ icon(Table2)
export const TerminalIcon = /* @__PURE__ */ icon(SquareTerminal)
export const TickIcon = /* @__PURE__ */ icon(Check)
export const TrashIcon = /* @__PURE__ */ icon(Trash2)
export const UserIcon = /* @__PURE__ */ icon(CircleUser)
export const UsersIcon = /* @__PURE__ */ icon(Users)
export const WarningIcon = /* @__PURE__ */ icon(TriangleAlert)
