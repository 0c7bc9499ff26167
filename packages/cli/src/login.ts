import { type Account, Gapura, type Login, OtpRequiredError } from '@gapura/sdk'
import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { changeProfile, findProfile, type Profile } from './config.ts'
import { deviceCookie } from './device-cookie.ts'
import { FailedError, UsageError } from './failure.ts'
import { note, printFacts, printJson } from './output.ts'
import { readCode } from './second-factor.ts'
import { anonymous, clientOf, credentialOf, isAddress, sessionOf, sourceOf, variableOf } from './session.ts'
import { ask, isTerminal, readStdin } from './terminal.ts'

type LoginFlags = { email?: string; baseUrl?: string }

export function addLogin(program: Command, cli: Cli): void {
  program
    .command('login')
    .description('log in with email address and password')
    .option('--email <address>', 'email address; prompted for if omitted')
    .option('--base-url <url>', 'URL of the service; saved in the profile')
    .addHelpText(
      'after',
      '\nPrompts for the password, and for a code if you have a second factor. Without a terminal, pass the password and the code on stdin, each on its own line.',
    )
    .action((flags: LoginFlags) => logIn(cli, flags))

  program
    .command('logout')
    .description("log out and delete the profile's credentials")
    .action(() => logOut(cli))

  program
    .command('whoami')
    .description('show the current user, service and credential')
    .action(() => whoAmI(cli))
}

async function logIn(cli: Cli, flags: LoginFlags): Promise<void> {
  const baseUrl = (flags.baseUrl ?? cli.baseUrl).replace(/\/+$/, '')
  if (!isAddress(baseUrl))
    throw new UsageError(`--base-url must be an http:// or https:// URL (got ${baseUrl})`)
  const { email, password, code } = await readLogin(cli, flags.email)
  cli.source = 'password'
  const device = deviceCookie(deviceAt(baseUrl, findProfile(cli.env, cli.profile)))
  const { auth } = anonymous(baseUrl, device.fetch)
  const login = await auth.login({ email, password }).catch(async error => {
    if (!(error instanceof OtpRequiredError) || error.challenge === undefined) throw error
    return auth.completeLogin({ challenge: error.challenge, code: code ?? (await readCode(cli)) })
  })
  const account = await kept(cli, baseUrl, login, device.current())

  if (cli.json) printJson(cli, { profile: cli.profile, base_url: baseUrl, account })
  else printFacts(cli, `Logged in as ${email}`, [], accountFacts(cli, baseUrl, account))
  for (const name of ['GAPURA_ACCESS_TOKEN', 'GAPURA_API_KEY']) {
    if (variableOf(cli.env, name))
      note(
        cli,
        `the environment variable ${name} is set and takes precedence over this login; unset the variable to use the login`,
      )
  }
}

/**
 * Returns the device cookie from a profile (a stored login). Returns undefined if the current login uses a different
 * service address.
 */
const deviceAt = (baseUrl: string, profile: Profile | undefined): string | undefined =>
  profile?.base_url?.replace(/\/+$/, '') === baseUrl ? profile.device : undefined

async function readLogin(
  cli: Cli,
  given: string | undefined,
): Promise<{ email: string; password: string; code?: string }> {
  if (!isTerminal(cli)) {
    if (given === undefined)
      throw new UsageError(
        'the command cannot prompt for the email address and password without a terminal',
        'pass --email, and the password on stdin',
      )
    const [password = '', code] = (await readStdin(cli)).replace(/\r?\n$/, '').split(/\r?\n/)
    if (password === '')
      throw new UsageError(
        'no password on stdin',
        'pass the password on stdin, or run the command in a terminal',
      )
    return { email: given, password, ...(code !== undefined && { code }) }
  }
  const password = { text: 'Password: ', hidden: true } as const
  const answers =
    given === undefined
      ? await ask(cli, { text: 'Email: ' }, password)
      : [given, ...(await ask(cli, password))]
  const [email = '', secret = ''] = answers
  if (email.trim() === '' || secret === '')
    throw new UsageError('email address and password are required', 'run gapura login again')
  return { email: email.trim(), password: secret }
}

/**
 * Stores the session in the profile. If the session cannot be stored, ends it on the service, because later
 * commands could not use it.
 */
async function kept(cli: Cli, baseUrl: string, login: Login, device: string | undefined): Promise<Account> {
  try {
    const account = await new Gapura({ accessToken: login.access_token, baseUrl }).account.get()
    await keep(cli, baseUrl, account.user.email, login, device)
    return account
  } catch (error) {
    await endQuietly(baseUrl, login.refresh_token)
    throw error
  }
}

/**
 * Ends a session on the service. If the request fails, the error is ignored, because the session expires
 * within 30 days anyway.
 */
export const endQuietly = (baseUrl: string, refreshToken: string): Promise<unknown> =>
  anonymous(baseUrl)
    .auth.logout(refreshToken)
    .catch(() => {})

/**
 * Stores the new session in the profile, and then ends the old session. The user could not end the old session later,
 * because its token is no longer stored.
 */
async function keep(
  cli: Cli,
  baseUrl: string,
  email: string,
  login: Login,
  device: string | undefined,
): Promise<void> {
  let before: Profile | undefined
  await changeProfile(cli.env, cli.profile, profile => {
    before = profile
    const same = profile.base_url === baseUrl && profile.session?.email === email
    return {
      base_url: baseUrl,
      session: sessionOf(email, login),
      ...(device !== undefined && { device }),
      // An API key in the profile may belong to another user. The key is therefore kept only if the login uses the same
      // service address and the same user as before.
      ...(same && profile.api_key !== undefined && { api_key: profile.api_key }),
    }
  })
  if (before?.session) await endQuietly(before.base_url ?? baseUrl, before.session.refresh_token)
}

async function logOut(cli: Cli): Promise<void> {
  const profile = findProfile(cli.env, cli.profile)
  if (!profile?.session && !profile?.api_key) {
    if (cli.json) printJson(cli, { profile: cli.profile, logged_out: true })
    else note(cli, `Profile ${cli.profile} has no credentials; you are already logged out.`)
    return
  }
  // A logout deletes the local credentials, including the API key, even if the service cannot be reached. The device
  // cookie stays for the next login, as in a browser.
  let ended: Profile = {}
  await changeProfile(cli.env, cli.profile, current => {
    ended = current
    const { base_url, device } = current
    if (base_url === undefined) return undefined
    return { base_url, ...(device !== undefined && { device }) }
  })
  if (ended.session) await endSession(ended.base_url ?? cli.baseUrl, ended.session.refresh_token)
  if (cli.json) printJson(cli, { profile: cli.profile, logged_out: true })
  else
    note(
      cli,
      `Logged out. The credentials of profile ${cli.profile} were deleted; its service address was kept.`,
    )
}

async function endSession(baseUrl: string, refreshToken: string): Promise<void> {
  try {
    await anonymous(baseUrl).auth.logout(refreshToken)
  } catch (error) {
    throw new FailedError(
      `the credentials were deleted from this computer, but the service could not end the session: ${(error as Error).message}`,
      'this computer can no longer use the session, and the session expires within 30 days',
    )
  }
}

async function whoAmI(cli: Cli): Promise<void> {
  const { profile, baseUrl } = cli
  const credential = credentialOf(cli.env, 'either', profile)
  const gapura = clientOf(cli.env, credential, baseUrl, profile)
  cli.source = sourceOf(credential)
  if (credential.from === 'GAPURA_API_KEY' || 'api_key' in credential) {
    const { mode } = await gapura.account.getBalance()
    if (cli.json) printJson(cli, { profile, base_url: baseUrl, credential: credential.from, mode })
    else
      printFacts(
        cli,
        `You use an API key in ${mode} mode, from ${nameOf(credential.from, profile)}`,
        [],
        [['Service', baseUrl]],
      )
    return
  }
  const account = await gapura.account.get()
  if (cli.json) printJson(cli, { profile, base_url: baseUrl, credential: credential.from, account })
  else
    printFacts(
      cli,
      `You are logged in as ${account.user.email}, from ${nameOf(credential.from, profile)}`,
      [],
      accountFacts(cli, baseUrl, account),
    )
}

const nameOf = (from: string, profile: string): string => (from === 'profile' ? `profile ${profile}` : from)

const accountFacts = (cli: Cli, baseUrl: string, account: Account): [string, string][] => [
  ['Tenant', account.name],
  ['Tenant id', account.id],
  ['Role', account.role],
  ['Tier', account.tier],
  ['Status', account.status === 'active' ? '' : account.status],
  ['Service', baseUrl],
  ['Profile', cli.profile],
]
