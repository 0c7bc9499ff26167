// Creates the demo's provider accounts, generates their credentials and registers them with the local sandbox.
// In production, a merchant would instead register on each provider's dashboard.

import { createPublicKey, generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { request } from 'undici'
import { z } from 'zod'
import type { App } from '../app.ts'
import { createProviderAccount } from '../provider-accounts/create-provider-account.ts'
import { setProviderAccountBaseUrl } from '../provider-accounts/provider-account.sql.ts'
import { DEFAULT_INQUIRE_ABOVE } from '../provider-accounts/provider-account-input.ts'
import { updateProviderAccount } from '../provider-accounts/update-provider-account.ts'
import type { AnyProvider } from '../providers/provider.ts'
import { type Mode, modes } from '../values/mode.ts'

type Credentials = Record<string, string>

/**
 * One of the demo's provider accounts. The merchant chooses the credentials `ours`, and the provider issues
 * the credentials `issued` at registration.
 */
export type DemoAccount = {
  id: string
  provider: string
  mode: Mode
  ours?: Credentials
  issued?: Credentials
}

const secret = (): string => randomBytes(20).toString('hex')

/**
 * Maps each provider to a function that creates credentials in the format of this provider. With SNAP and DOKU, the
 * provider receives the public key of our key pair.
 */
const credentialsOf: Record<string, (mode: Mode, privateKey: string) => Credentials> = {
  midtrans: mode => ({ server_key: `${mode === 'test' ? 'SB-' : ''}Mid-server-${secret()}` }),
  xendit: mode => ({
    secret_key: `xnd_${mode === 'test' ? 'development' : 'production'}_${secret()}`,
  }),
  snap: (mode, privateKey) => ({
    client_id: `demonstration-${mode}`,
    client_secret: secret(),
    partner_id: `demonstration-${mode}`,
    merchant_id: 'G812785002',
    channel_id: '12345',
    partner_service_id: '77777',
    private_key: privateKey,
  }),
  doku: (mode, privateKey) => ({
    client_id: `MCH-0001-demonstration-${mode}`,
    secret_key: `SK-${secret()}`,
    partner_service_id: '88888',
    partner_service_id_bni: '88889',
    partner_service_id_permata: '8890',
    qris_merchant_id: mode === 'test' ? '2115' : '2116',
    qris_terminal_id: 'K45',
    qris_postal_code: '12190',
    private_key: privateKey,
  }),
  tripay: mode => ({
    api_key: `${mode === 'test' ? 'DEV-' : ''}${secret()}`,
    private_key: secret(),
    merchant_code: `T000${mode === 'test' ? 1 : 2}`,
  }),
  duitku: mode => ({ merchant_code: `D000${mode === 'test' ? 1 : 2}`, api_key: secret() }),
}

/** The actor that the audit log records. Null means that the operator runs a command on the server. */
const operator = null

type SignedUp = Omit<Required<DemoAccount>, 'id'>

/** Registers a merchant in live and test mode with every provider whose adapter this build contains. */
export async function signUp(app: App, sandboxUrl: string): Promise<SignedUp[]> {
  const privateKey = await newPrivateKey()
  const merchants: SignedUp[] = []
  for (const provider of app.providers.keys()) {
    for (const mode of modes) {
      const ours = credentialsOf[provider]?.(mode, privateKey)
      if (!ours) throw new Error(`the demo has no credentials for ${provider}`)
      merchants.push({ provider, mode, ours, issued: await register(sandboxUrl, provider, ours, null) })
    }
  }
  return merchants
}

/** Creates the demo's provider accounts. `registerAccounts` later registers their callback URLs. */
export async function makeAccounts(
  app: App,
  merchants: SignedUp[],
  sandboxUrl: string,
): Promise<DemoAccount[]> {
  const accounts: DemoAccount[] = []
  for (const merchant of merchants) {
    const provider = app.providers.get(merchant.provider) as AnyProvider
    const { id } = await createProviderAccount(app, operator, provider, {
      mode: merchant.mode,
      name: `Demonstration ${provider.name} ${merchant.mode}`,
      credentials: { ...merchant.ours, ...merchant.issued },
      baseUrl: `${sandboxUrl}/${provider.code}`,
      enabled: true,
      callbackSources: [],
      inquireAbove: BigInt(DEFAULT_INQUIRE_ABOVE),
    })
    accounts.push({ id, ...merchant })
  }
  return accounts
}

/**
 * Registers the current callback URLs with the sandbox and stores the credentials that the sandbox issues. This is
 * repeated each time the service starts, because the sandbox's data may have been deleted.
 */
export function registerAccounts(
  app: App,
  accounts: DemoAccount[],
  { baseUrl, sandboxUrl }: { baseUrl: string; sandboxUrl: string },
): Promise<DemoAccount[]> {
  return Promise.all(
    accounts.map(async account => {
      const { id, provider: code, ours } = account
      await setProviderAccountBaseUrl(app.db, id, `${sandboxUrl}/${code}`)
      const provider = app.providers.get(code)
      if (!ours || !provider) return account
      const issued = await register(sandboxUrl, code, ours, `${baseUrl}/v1/callbacks/${code}/${id}`)
      if (JSON.stringify(issued) !== JSON.stringify(account.issued))
        await updateProviderAccount(app, operator, provider, id, { credentials: { ...ours, ...issued } })
      return { ...account, issued }
    }),
  )
}

const registered = z.object({ credentials: z.record(z.string(), z.string()) })

/**
 * Registers a merchant with the sandbox, as on the provider's dashboard, and returns the issued credentials.
 * Only the public half of a key pair is sent.
 */
export async function register(
  sandboxUrl: string,
  provider: string,
  { private_key, ...ours }: Credentials,
  notificationUrl: string | null,
): Promise<Credentials> {
  const uploaded =
    private_key && /PRIVATE KEY/.test(private_key) ? { public_key: publicHalf(private_key) } : undefined
  const { statusCode, body } = await request(`${sandboxUrl}/merchants`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      provider,
      credentials: { ...ours, ...(uploaded ?? (private_key !== undefined && { private_key })) },
      notification_url: notificationUrl,
    }),
  })
  const text = await body.text()
  if (statusCode !== 200)
    throw new Error(`the provider sandbox rejected the registration of a demo merchant: ${text}`)
  return registered.parse(JSON.parse(text)).credentials
}

const publicHalf = (privateKey: string): string =>
  createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }) as string

async function newPrivateKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
}
