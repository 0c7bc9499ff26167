import { z } from 'zod'

const flag = z.enum(['true', 'false', '1', '0']).transform(word => word === 'true' || word === '1')
const webAddress = z.url({ protocol: /^https?$/ })

const environment = z.object({
  SANDBOX_HOST: z.string().min(1).default('127.0.0.1'),
  SANDBOX_PORT: z.coerce.number().int().min(0).max(65535).default(8081),
  SANDBOX_PUBLIC_URL: webAddress.optional(),
  SANDBOX_DATA: z.string().min(1).optional(),
  SANDBOX_NOTIFICATION_URL: webAddress.optional(),
  SANDBOX_RETRY_SCALE: z.coerce.number().min(0).default(1),
  SANDBOX_PENDING_NOTIFICATIONS: flag.default(true),
})

export type Settings = {
  host: string
  port: number
  // Absent: whatever address the server ends up listening on.
  publicUrl?: string
  // Absent: everything is kept in memory and gone with the process.
  dataFile?: string
  notificationUrl?: string
  retryScale: number
  pendingNotifications: boolean
  // How late an expiry or a retry may be; not for the environment, tests make it small.
  scanMs: number
}

export const defaultSettings: Settings = {
  host: '127.0.0.1',
  port: 8081,
  retryScale: 1,
  pendingNotifications: true,
  scanMs: 250,
}

/** The sole reader of the environment. Throws one line that names every variable at fault. */
export function readSettings(variables: Record<string, string | undefined>): Settings {
  // An empty variable means "not set": that is how compose files and shells unset one.
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(set)
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('; '))
  }
  const env = parsed.data
  return {
    ...defaultSettings,
    host: env.SANDBOX_HOST,
    port: env.SANDBOX_PORT,
    retryScale: env.SANDBOX_RETRY_SCALE,
    pendingNotifications: env.SANDBOX_PENDING_NOTIFICATIONS,
    ...(env.SANDBOX_PUBLIC_URL && { publicUrl: env.SANDBOX_PUBLIC_URL.replace(/\/+$/, '') }),
    ...(env.SANDBOX_DATA && { dataFile: env.SANDBOX_DATA }),
    ...(env.SANDBOX_NOTIFICATION_URL && { notificationUrl: env.SANDBOX_NOTIFICATION_URL }),
  }
}
