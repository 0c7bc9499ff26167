import { type Account, Gapura, type Login } from '@gapura/sdk'
import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { changeProfile, findProfile, type Profile } from './config.ts'
import { deviceCookie } from './device-cookie.ts'
import { FailedError, UsageError } from './failure.ts'
import { note, printFacts, printJson } from './output.ts'
import { anonymous, clientOf, credentialOf, env, isAddress, sessionOf, sourceOf } from './session.ts'
import { ask, isTerminal, readStdin } from './terminal.ts'

type LoginFlags = { email?: string; baseUrl?: string }

export function addLogin(program: Command, cli: Cli): void {
  program
    .command('login')
    .description('log in with e-mail address and password, and stay so')
    .option('--email <address>', 'whose; asked for without it')
    .option('--base-url <url>', 'where the service is; kept in the profile')
    .addHelpText('after', '\nThe password is asked for; where nobody is there to ask, it is read from stdin.')
    .action((flags: LoginFlags) => logIn(cli, flags))

  program
    .command('logout')
    .description('end the session of the profile')
    .action(() => logOut(cli))

  program
    .command('whoami')
    .description('show as whom, where and by what you are logged in')
    .action(() => whoAmI(cli))
}

async function logIn(cli: Cli, flags: LoginFlags): Promise<void> {
  const baseUrl = (flags.baseUrl ?? cli.baseUrl).replace(/\/+$/, '')
  if (!isAddress(baseUrl)) throw new UsageError(`--base-url ${baseUrl} is no http address`)
  const { email, password } = await readLogin(flags.email)
  cli.source = 'password'
  const device = deviceCookie(deviceAt(baseUrl, findProfile(cli.profile)))
  const login = await anonymous(baseUrl, device.fetch).auth.login({ email, password })
  const account = await kept(cli, baseUrl, login, device.current())

  if (cli.json) printJson({ profile: cli.profile, base_url: baseUrl, account })
  else printFacts(`Logged in as ${email}`, [], accountFacts(cli, baseUrl, account))
  for (const name of ['GAPURA_ACCESS_TOKEN', 'GAPURA_API_KEY']) {
    if (env(name)) note(`${name} is set and wins over this log-in; unset it to use the log-in`)
  }
}

/** Sends a profile's device cookie only to the address of that profile. */
const deviceAt = (baseUrl: string, profile: Profile | undefined): string | undefined =>
  profile?.base_url?.replace(/\/+$/, '') === baseUrl ? profile.device : undefined

async function readLogin(given: string | undefined): Promise<{ email: string; password: string }> {
  if (!isTerminal()) {
    if (given === undefined)
      throw new UsageError('nobody is here to ask', 'give --email, and the password on stdin')
    const password = readStdin().replace(/\r?\n$/, '')
    if (password === '')
      throw new UsageError('stdin holds no password', 'give it there, or log in at a terminal')
    return { email: given, password }
  }
  const password = { text: 'Password: ', hidden: true } as const
  const answers =
    given === undefined ? await ask({ text: 'E-mail: ' }, password) : [given, ...(await ask(password))]
  const [email = '', secret = ''] = answers
  if (email.trim() === '' || secret === '') throw new UsageError('both are needed', 'run gapura login again')
  return { email: email.trim(), password: secret }
}

/** Stores the session. If that fails, logs out, because no command could use the token. */
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

/** If logging out fails, the session still expires after 30 days at most. */
const endQuietly = (baseUrl: string, refreshToken: string): Promise<unknown> =>
  anonymous(baseUrl)
    .auth.logout(refreshToken)
    .catch(() => {})

/** Stores the session. A previous session of the profile is ended because its token is overwritten. */
async function keep(
  cli: Cli,
  baseUrl: string,
  email: string,
  login: Login,
  device: string | undefined,
): Promise<void> {
  let before: Profile | undefined
  await changeProfile(cli.profile, profile => {
    before = profile
    const same = profile.base_url === baseUrl && profile.session?.email === email
    return {
      base_url: baseUrl,
      session: sessionOf(email, login),
      ...(device !== undefined && { device }),
      // The stored API key is kept only if the address and the user are the same as before.
      ...(same && profile.api_key !== undefined && { api_key: profile.api_key }),
    }
  })
  if (before?.session) await endQuietly(before.base_url ?? baseUrl, before.session.refresh_token)
}

async function logOut(cli: Cli): Promise<void> {
  const profile = findProfile(cli.profile)
  if (!profile?.session && !profile?.api_key) {
    if (cli.json) printJson({ profile: cli.profile, logged_out: true })
    else note(`Profile ${cli.profile} was not logged in.`)
    return
  }
  // The local credentials are deleted even if the service cannot be reached, including the API key: after a logout,
  // the profile cannot be used. The device cookie remains for the next login, as in a browser.
  let ended: Profile = {}
  await changeProfile(cli.profile, current => {
    ended = current
    const { base_url, device } = current
    if (base_url === undefined) return undefined
    return { base_url, ...(device !== undefined && { device }) }
  })
  if (ended.session) await endSession(ended.base_url ?? cli.baseUrl, ended.session.refresh_token)
  if (cli.json) printJson({ profile: cli.profile, logged_out: true })
  else note(`Logged out; profile ${cli.profile} keeps its address and no credential.`)
}

async function endSession(baseUrl: string, refreshToken: string): Promise<void> {
  try {
    await anonymous(baseUrl).auth.logout(refreshToken)
  } catch (error) {
    throw new FailedError(
      `the session is forgotten here, but the service was not told: ${(error as Error).message}`,
      'nothing here can use it any more; it ends by itself within 30 days',
    )
  }
}

async function whoAmI(cli: Cli): Promise<void> {
  const { profile, baseUrl } = cli
  const credential = credentialOf('either', profile)
  const gapura = clientOf(credential, baseUrl, profile)
  cli.source = sourceOf(credential)
  if (credential.from === 'GAPURA_API_KEY' || 'api_key' in credential) {
    const { mode } = await gapura.balance()
    if (cli.json) printJson({ profile, base_url: baseUrl, credential: credential.from, mode })
    else
      printFacts(
        `An API key of the mode ${mode}, from ${nameOf(credential.from, profile)}`,
        [],
        [['Service', baseUrl]],
      )
    return
  }
  const account = await gapura.account.get()
  if (cli.json) printJson({ profile, base_url: baseUrl, credential: credential.from, account })
  else
    printFacts(
      `${account.user.email}, by ${nameOf(credential.from, profile)}`,
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
