import { queryClient } from '../api/query-client.ts'
import { logOut } from './session.ts'

/** Logs out and reloads the page so that no session data stays in memory. Throws if the logout fails. */
export async function leave(): Promise<void> {
  await logOut()
  queryClient.clear()
  window.location.assign('/dashboard/login')
}
