// Selects the service address and the credential for a command. Environment variables take precedence over the stored
// profile. A profile's secrets are sent only to that profile's service address.

import { type Fetch, Gapura, UnauthorizedError } from '@gapura/sdk'
import { changeProfile, findProfile, type Profile, type Session } from './config.ts'
import { NotLoggedInError, type Source, UsageError } from './failure.ts'
import type { Env } from './process-io.ts'

export const DEFAULT_BASE_URL = 'http://127.0.0.1:8080'
/**
 * An access token is refreshed this many milliseconds before it expires, so that it is still valid when the request
 * reaches the service.
 */
const MARGIN_MS = 30_000

/** The kind of credential that an endpoint requires: an API key, a user's access token, or either. */
export type Kind = 'api_key' | 'user' | 'either'

export type Credential =
  | { from: 'GAPURA_API_KEY' | 'GAPURA_ACCESS_TOKEN'; value: string }
  | { from: 'profile'; api_key: string }
  | { from: 'profile'; session: Session }

export function baseUrlOf(env: Env, profileName: string): string {
  const fromEnvironment = variableOf(env, 'GAPURA_BASE_URL')
  const baseUrl = fromEnvironment ?? findProfile(env, profileName)?.base_url ?? DEFAULT_BASE_URL
  if (!isAddress(baseUrl))
    throw new UsageError(
      `${fromEnvironment ? 'GAPURA_BASE_URL' : `base_url of profile ${profileName}`} must be an http:// or https:// URL (got ${baseUrl})`,
    )
  return baseUrl.replace(/\/+$/, '')
}

export const isAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

export function credentialOf(env: Env, kind: Kind, profileName: string): Credential {
  const key = variableOf(env, 'GAPURA_API_KEY')
  if (kind !== 'user' && key !== undefined)
    return { from: 'GAPURA_API_KEY', value: visible(key, 'GAPURA_API_KEY', 'API key') }
  const token = variableOf(env, 'GAPURA_ACCESS_TOKEN')
  if (kind !== 'api_key' && token !== undefined)
    return { from: 'GAPURA_ACCESS_TOKEN', value: visible(token, 'GAPURA_ACCESS_TOKEN', 'access token') }
  const profile = findProfile(env, profileName) ?? {}
  const kept = keptCredential(kind, profile)
  if (kept === undefined) throw missing(kind, profileName, profile)
  const baseUrl = baseUrlOf(env, profileName)
  if (!isForService(profile, baseUrl))
    throw new NotLoggedInError(
      `profile ${profileName} is for the service at ${profile.base_url}, but GAPURA_BASE_URL is ${baseUrl}`,
      'unset GAPURA_BASE_URL, or run gapura login with a --profile for that URL',
    )
  return kept
}

/** Returns whether the profile's secrets may be sent to the service at this URL. */
export const isForService = ({ base_url }: Profile, baseUrl: string): boolean =>
  base_url?.replace(/\/+$/, '') === baseUrl

/**
 * Returns a credential from the profile, of a kind that the command allows. If the command allows both kinds, the
 * session is preferred, because it can access both modes (test and live).
 */
function keptCredential(kind: Kind, { session, api_key }: Profile): Credential | undefined {
  if (kind !== 'api_key' && session) return { from: 'profile', session }
  if (kind !== 'user' && api_key) return { from: 'profile', api_key }
  return undefined
}

function missing(kind: Kind, profileName: string, { session }: Profile): NotLoggedInError {
  if (kind === 'api_key')
    return new NotLoggedInError(
      'GAPURA_API_KEY is not set, but this command requires an API key',
      session
        ? 'create and save an API key: gapura keys create --mode test --save'
        : 'create a key in the dashboard and export GAPURA_API_KEY=gp_test_…, or run gapura login',
    )
  return new NotLoggedInError(
    profileName === 'default' ? 'you are not logged in' : `profile ${profileName} is not logged in`,
    kind === 'either' ? `run ${loginOf(profileName)}, or set GAPURA_API_KEY` : `run ${loginOf(profileName)}`,
  )
}

export const sourceOf = (credential: Credential): Source =>
  'api_key' in credential ? 'profile key' : credential.from

export const loginOf = (profileName: string): string =>
  profileName === 'default' ? 'gapura login' : `gapura login --profile ${profileName}`

export function clientOf(env: Env, credential: Credential, baseUrl: string, profileName: string): Gapura {
  if ('session' in credential)
    return new Gapura({
      accessToken: () => freshToken(env, { profileName, baseUrl, email: credential.session.email }),
      baseUrl,
    })
  if ('api_key' in credential) return new Gapura({ apiKey: credential.api_key, baseUrl })
  return credential.from === 'GAPURA_API_KEY'
    ? new Gapura({ apiKey: credential.value, baseUrl })
    : new Gapura({ accessToken: credential.value, baseUrl })
}

/** Returns the Authorization header for a request with the given credential. */
export async function authorizationOf(
  env: Env,
  credential: Credential,
  baseUrl: string,
  profileName: string,
): Promise<string> {
  if ('session' in credential)
    return `Bearer ${await freshToken(env, { profileName, baseUrl, email: credential.session.email })}`
  if ('api_key' in credential) return `ApiKey ${credential.api_key}`
  return credential.from === 'GAPURA_API_KEY' ? `ApiKey ${credential.value}` : `Bearer ${credential.value}`
}

/** Returns a client for calls that need no credential. */
export const anonymous = (baseUrl: string, fetch?: Fetch): Gapura =>
  // The timeout is short, because other commands wait while a token refresh holds the profile's lock. A refresh makes
  // at most two attempts, with a pause of at most a minute (Retry-After) between them.
  new Gapura({ accessToken: () => '', baseUrl, timeoutMs: 9_000, maxRetries: 1, fetch })

/**
 * Returns the profile's access token, and refreshes it first if it expires soon. Throws an error if another command has
 * since logged in with this profile to another service or as another user. Without this check, this command could send
 * the new session's tokens to the wrong service.
 */
async function freshToken(
  env: Env,
  { profileName, baseUrl, email }: { profileName: string; baseUrl: string; email: string },
): Promise<string> {
  const requireSameLogin = (profile: Profile) => {
    if (profile.session && !(isForService(profile, baseUrl) && profile.session.email === email))
      throw new NotLoggedInError(
        `another command has logged in with profile ${profileName}`,
        'run the command again',
      )
  }
  const profile = findProfile(env, profileName) ?? {}
  requireSameLogin(profile)
  if (profile.session && isFresh(profile.session)) return profile.session.access_token
  let token: string | undefined
  await changeProfile(env, profileName, async profile => {
    requireSameLogin(profile)
    const { session, ...rest } = profile
    // While this command waited for the lock, another command may have refreshed the token or logged out, so
    // the current session is checked first.
    if (!session) return Object.keys(rest).length > 0 ? rest : undefined
    if (isFresh(session)) {
      token = session.access_token
      return profile
    }
    const renewed = await renew(session, baseUrl)
    token = renewed?.access_token
    return renewed ? { ...profile, session: renewed } : rest
  })
  if (token === undefined)
    throw new NotLoggedInError('your session has expired', `run ${loginOf(profileName)}`)
  return token
}

/** Refreshes the session. Returns undefined if the session no longer exists on the service. */
async function renew(session: Session, baseUrl: string): Promise<Session | undefined> {
  try {
    const login = await anonymous(baseUrl).auth.refresh(session.refresh_token)
    return sessionOf(session.email, login)
  } catch (error) {
    if (error instanceof UnauthorizedError) return undefined
    throw error
  }
}

export const sessionOf = (
  email: string,
  login: { access_token: string; refresh_token: string; expires_in: number },
): Session => ({
  email,
  access_token: login.access_token,
  access_token_expires_at: Date.now() + login.expires_in * 1_000,
  refresh_token: login.refresh_token,
})

const isFresh = ({ access_token_expires_at }: Session): boolean =>
  access_token_expires_at - MARGIN_MS > Date.now()

/** Reads an environment variable. An empty variable is treated as unset. */
export const variableOf = (env: Env, name: string): string | undefined => {
  const value = env[name]
  return value === undefined || value === '' ? undefined : value.trim()
}

function visible(value: string, name: string, what: string): string {
  if (value === '') throw new NotLoggedInError(`${name} is empty`, `set it to a valid ${what}, or unset it`)
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new NotLoggedInError(`${name} is not a valid ${what}`, `set it to a valid ${what}`)
  return value
}
