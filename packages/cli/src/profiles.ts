import type { Command } from 'commander'
import { type Cli, yesOption } from './cli.ts'
import { changeProfile, currentProfile, findProfile, profileNames, useProfile } from './config.ts'
import { UsageError } from './failure.ts'
import { showRows } from './lists.ts'
import { endQuietly } from './login.ts'
import { type Column, note, printJson } from './output.ts'
import { confirm } from './terminal.ts'

/**
 * The parts of a profile (a stored service address with credentials) that the CLI may print, because they are
 * not secret.
 */
type Shown = {
  name: string
  current: boolean
  base_url: string | null
  email: string | null
  api_key_mode: 'live' | 'test' | null
}

const columns: Column<Shown>[] = [
  { title: '', value: profile => (profile.current ? '*' : '') },
  { title: 'NAME', value: profile => profile.name },
  { title: 'SERVICE', value: profile => profile.base_url ?? '', cut: true },
  { title: 'USER', value: profile => profile.email ?? '', cut: true },
  { title: 'API KEY', value: profile => profile.api_key_mode ?? '', extra: true },
]

export function addProfiles(program: Command, cli: Cli): void {
  const profiles = program.command('profiles').description('Stored logins')

  profiles
    .command('list')
    .description('list the profiles; an asterisk marks the profile that commands use')
    .action(() => {
      const items = profileNames(cli.env).map(name => shownOf(cli, name))
      if (cli.json) printJson(cli, { items })
      else showRows(cli, items, columns, 'No profiles yet. Create one: gapura login')
    })

  profiles
    .command('use')
    .description('set the default profile, used if neither --profile nor GAPURA_PROFILE is given')
    .argument('<name>', 'name of the profile')
    .action(async (name: string) => {
      check(cli, name)
      await useProfile(cli.env, name)
      if (cli.json) printJson(cli, shownOf(cli, name))
      else note(cli, `Commands now use profile ${name}.`)
    })

  profiles
    .command('remove')
    .description('log out and delete a profile, including its API key')
    .argument('<name>', 'name of the profile')
    .addOption(yesOption())
    .action(async (name: string, flags: { yes?: true }) => {
      check(cli, name)
      await confirm(cli, `The login and the API key of profile ${name} will be deleted`, flags)
      const { session, base_url } = findProfile(cli.env, name) ?? {}
      await changeProfile(cli.env, name, () => undefined)
      if (session && base_url !== undefined) await endQuietly(base_url, session.refresh_token)
      if (cli.json) printJson(cli, { name, removed: true })
      else note(cli, `Profile ${name} was removed.`)
    })
}

function check({ env }: Cli, name: string): void {
  if (findProfile(env, name)) return
  const names = profileNames(env).join(', ')
  throw new UsageError(
    `there is no profile ${name}`,
    names === '' ? 'create the profile with gapura login --profile' : `use one of: ${names}`,
  )
}

function shownOf({ env }: Cli, name: string): Shown {
  const { base_url = null, session, api_key } = findProfile(env, name) ?? {}
  const [, mode = null] = /^gp_(live|test)_/.exec(api_key ?? '') ?? []
  return {
    name,
    current: name === currentProfile(env),
    base_url,
    email: session?.email ?? null,
    api_key_mode: mode as Shown['api_key_mode'],
  }
}
