// The context of every command: its environment and streams, the global options, and the credential that it uses.

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
  /** True if the output may have colours: on a terminal, unless NO_COLOR or --no-color forbids them. */
  readonly colors: boolean
  readonly profile: string
  readonly baseUrl: string
  /** Returns a client for the service that uses the available credential of this kind. */
  connect(kind: Kind): Gapura
  /** The source of the credential that was used last. An error about a rejected credential names this source. */
  source: Source
  /** The filtered stdout of a command with --jq or --template, once the command has printed something. */
  filtered: Filtered | undefined
  /** Shows the text as a progress line on a terminal. An empty text erases the line. */
  readonly progress: (text: string) => void
  /** The exit code of a command that throws no error. */
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
    // The getter of process.stdin opens the stream, so it is called only by commands that read the stream.
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

/** The mode of a list or report. Without the option, the service chooses the mode. */
export const modeFilterOption = (items: string) =>
  new Option(
    '--mode <mode>',
    `only ${items} in this mode (the mode of the API key; live for a user)`,
  ).choices([...modes, 'all'])

/** The column of a list whose rows can be of both modes; it is shown with `--mode all`. */
export const modeColumn = (mode: ModeChoice | undefined): Column<{ mode: Mode }>[] =>
  mode === 'all' ? [{ title: 'MODE', value: row => row.mode }] : []

export const modeOption = (description: string) => new Option('--mode <mode>', description).choices(modes)

export const yesOption = () => new Option('-y, --yes', 'skip the confirmation prompt')

export const tenantOption = () =>
  new Option('--tenant <id>', 'id of a tenant that you manage (your own tenant)')

/** Returns the given tenant ID, or the ID of the caller's own tenant. */
export const tenantIdOf = async (gapura: Gapura, named: string | undefined): Promise<string> =>
  named ?? (await gapura.account.get()).id

export function whole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, such as 100000.')
  return Number(text)
}
