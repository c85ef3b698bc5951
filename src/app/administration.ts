import AuditLogScreen from '~/screens/auditlog/AuditLogScreen'
import ComingSoonScreen from '~/screens/comingsoon/ComingSoonScreen'
import DatabasesScreen from '~/screens/databases/DatabasesScreen'
import SettingsScreen from '~/screens/settings/SettingsScreen'
import UsersScreen from '~/screens/users/UsersScreen'

/** Small screens of one job, so they come in one script. */
export const administration = {
  AuditLogScreen,
  ComingSoonScreen,
  DatabasesScreen,
  SettingsScreen,
  UsersScreen,
}
