import { z } from 'zod'
import { type Chaos, calm } from './chaos.ts'

const flag = z.enum(['true', 'false', '1', '0']).transform(word => word === 'true' || word === '1')
const webAddress = z.url({ protocol: /^https?$/ })

const probability = z.coerce.number().min(0).max(1).default(0)

const environment = z.object({
  SANDBOX_HOST: z.string().min(1).default('127.0.0.1'),
  SANDBOX_PORT: z.coerce.number().int().min(0).max(65535).default(8081),
  SANDBOX_PUBLIC_URL: webAddress.optional(),
  SANDBOX_DATA: z.string().min(1).optional(),
  SANDBOX_NOTIFICATION_URL: webAddress.optional(),
  SANDBOX_RETRY_SCALE: z.coerce.number().min(0).default(1),
  SANDBOX_PENDING_NOTIFICATIONS: flag.default(true),
  SANDBOX_CHAOS_SEED: z.string().default(calm.seed),
  SANDBOX_CHAOS_LOSE: probability,
  SANDBOX_CHAOS_REPEAT: probability,
  SANDBOX_CHAOS_DELAY_MS: z.coerce.number().int().min(0).default(0),
  SANDBOX_CHAOS_REORDER: probability,
  SANDBOX_CHAOS_FORGE: probability,
  SANDBOX_CHAOS_TIME_OUT_CREATES: probability,
})

export type Settings = {
  host: string
  port: number
  // The base URL of links for payers and merchants. By default, it is the address the server listens on.
  publicUrl?: string
  // The file that stores all data. If it is not set, data is kept in memory and lost when the process exits.
  dataFile?: string
  notificationUrl?: string
  retryScale: number
  pendingNotifications: boolean
  // The random failures enabled when the sandbox starts. Tests can change them while it runs.
  chaos: Chaos
  // The interval in milliseconds between scans for expired orders and due retries. Only tests change it.
  scanMs: number
}

export const defaultSettings: Settings = {
  host: '127.0.0.1',
  port: 8081,
  retryScale: 1,
  pendingNotifications: true,
  chaos: calm,
  scanMs: 250,
}

/** Reads the settings from the environment. Throws a one-line error that names all invalid variables. */
export function readSettings(variables: Record<string, string | undefined>): Settings {
  // An empty variable counts as unset, because Compose files and shells often pass unset variables as empty
  // strings.
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
    chaos: {
      seed: env.SANDBOX_CHAOS_SEED,
      lose: env.SANDBOX_CHAOS_LOSE,
      repeat: env.SANDBOX_CHAOS_REPEAT,
      delayMs: env.SANDBOX_CHAOS_DELAY_MS,
      reorder: env.SANDBOX_CHAOS_REORDER,
      forge: env.SANDBOX_CHAOS_FORGE,
      timeOutCreates: env.SANDBOX_CHAOS_TIME_OUT_CREATES,
    },
    ...(env.SANDBOX_PUBLIC_URL && { publicUrl: env.SANDBOX_PUBLIC_URL.replace(/\/+$/, '') }),
    ...(env.SANDBOX_DATA && { dataFile: env.SANDBOX_DATA }),
    ...(env.SANDBOX_NOTIFICATION_URL && { notificationUrl: env.SANDBOX_NOTIFICATION_URL }),
  }
}
