// The context of every command: its environment and streams, the global options, and the credential it uses.

import type { Gapura } from '@gapura/sdk'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { currentProfile } from './config.ts'
import type { Source } from './failure.ts'
import { type Filtered, filtered, filterOf } from './filter.ts'
import { type Column, progressLine } from './output.ts'
import type { ProcessIo } from './process-io.ts'
import { baseUrlOf, clientOf, credentialOf, type Kind, sourceOf, variableOf } from './session.ts'

export type Cli = Readonly<ProcessIo> & {
  /** True if the command must print JSON, and nothing else, to stdout. */
  readonly json: boolean
  /**
   * True if the output may have colors: stdout is a terminal, and neither NO_COLOR nor --no-color turns colors off.
   */
  readonly colors: boolean
  readonly profile: string
  readonly baseUrl: string
  /** Returns a client that sends the user's credential of the requested kind: API key, access token, or either. */
  connect(kind: Kind): Gapura
  /**
   * The source of the last used credential, such as an environment variable. An error about the credential names
   * its source.
   */
  source: Source
  /**
   * The output of a command that uses --jq or --template, after filtering. It is undefined until the command prints
   * something.
   */
  filtered: Filtered | undefined
  /** Shows the text as a progress line on a terminal. An empty text erases the line. */
  readonly progress: (text: string) => void
  /** The exit code of the process if the command throws no error. */
  exitCode: number
}

export type GlobalOptions = {
  json?: true
  jq?: string
  template?: string
  color: boolean
  profile?: string
}

export function cliOf(program: Command, io: ProcessIo): Cli {
  const options = () => program.opts<GlobalOptions>()
  return {
    ...{ env: io.env, stderr: io.stderr },
    get stdout() {
      const filter = filterOf(options())
      if (filter !== undefined) this.filtered ??= filtered(io.stdout, filter)
      return this.filtered ?? io.stdout
    },
    filtered: undefined,
    // Reading process.stdin opens the stream, so only commands that need stdin may read this property.
    get stdin() {
      return io.stdin
    },
    get json() {
      const { json, jq, template } = options()
      return json === true || jq !== undefined || template !== undefined
    },
    get colors() {
      const { NO_COLOR = '', TERM } = io.env
      return io.stdout.columns !== undefined && NO_COLOR === '' && TERM !== 'dumb' && options().color
    },
    get profile() {
      return options().profile ?? variableOf(io.env, 'GAPURA_PROFILE') ?? currentProfile(io.env)
    },
    get baseUrl() {
      return baseUrlOf(io.env, this.profile)
    },
    connect(kind) {
      const { profile, baseUrl } = this
      const credential = credentialOf(io.env, kind, profile)
      this.source = sourceOf(credential)
      return clientOf(io.env, credential, baseUrl, profile)
    },
    source: undefined,
    progress: progressLine(io),
    exitCode: 0,
  }
}

export const modes = ['live', 'test'] as const
export type Mode = (typeof modes)[number]
export type ModeChoice = Mode | 'all'

/**
 * Adds the option that selects a list's or report's mode (live or test). Without the option, the service chooses
 * the mode.
 */
export const modeFilterOption = (items: string) =>
  new Option(
    '--mode <mode>',
    `only ${items} in this mode (default: your API key's mode, or live if you are logged in as a user)`,
  ).choices([...modes, 'all'])

/** The column that shows each row's mode (live or test). A list has this column only with `--mode all`. */
export const modeColumn = (mode: ModeChoice | undefined): Column<{ mode: Mode }>[] =>
  mode === 'all' ? [{ title: 'MODE', value: row => row.mode }] : []

/**
 * Returns the text for an empty list. If a user is logged in and chose no mode, the text also explains how to list test
 * mode, except for one payment's list. Call `connect` first, because `connect` determines which credential is used.
 */
export const emptyText = (
  { source }: Cli,
  mode: ModeChoice | undefined,
  text: string,
  payment?: string,
): string => {
  const isUser = source === 'profile' || source === 'GAPURA_ACCESS_TOKEN'
  return isUser && mode === undefined && payment === undefined
    ? `${text} This list covers live mode; add --mode test for test mode.`
    : text
}

export const modeOption = (description: string) => new Option('--mode <mode>', description).choices(modes)

export const yesOption = () => new Option('-y, --yes', 'skip the confirmation prompt')

export const tenantOption = () =>
  new Option('--tenant <id>', 'id of a tenant that you manage (default: your own tenant)')

/** Returns the tenant ID `named`, or the user's own tenant ID if `named` is undefined. */
export const tenantIdOf = async (gapura: Gapura, named: string | undefined): Promise<string> =>
  named ?? (await gapura.account.get()).id

export function whole(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new InvalidArgumentError('The value must be a whole number, such as 100000.')
  return Number(text)
}

/** Parses an argument that must be `on` or `off`. */
export function onOrOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('The value must be on or off.')
  return text === 'on'
}
