import { queryClient } from '../api/query-client.ts'
import { logOut } from './session.ts'

/** With the whole page, so that nothing of what was shown stays in memory. */
export async function leave(): Promise<void> {
  await logOut().finally(() => {
    queryClient.clear()
    window.location.assign('/dashboard/login')
  })
}
