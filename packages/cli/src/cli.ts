// The context of every command: the global options, and the credential that the command uses.

import type { Gapura } from '@gapura/sdk'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Source } from './failure.ts'
import { baseUrlOf, clientOf, credentialOf, env, type Kind, sourceOf } from './session.ts'

export type Cli = {
  /** True if the command must print JSON, and nothing else, to stdout. */
  readonly json: boolean
  readonly profile: string
  readonly baseUrl: string
  /** Returns a client for the service that uses the available credential of this kind. */
  connect(kind: Kind): Gapura
  /** The source of the credential that was used last. An error about a rejected credential names this source. */
  source: Source
}

export function cliOf(program: Command): Cli {
  const options = () => program.opts<{ json?: true; profile?: string }>()
  return {
    get json() {
      return options().json === true
    },
    get profile() {
      return options().profile ?? env('GAPURA_PROFILE') ?? 'default'
    },
    get baseUrl() {
      return baseUrlOf(this.profile)
    },
    connect(kind) {
      const { profile, baseUrl } = this
      const credential = credentialOf(kind, profile)
      this.source = sourceOf(credential)
      return clientOf(credential, baseUrl, profile)
    },
    source: undefined,
  }
}

export const modes = ['live', 'test'] as const
export type Mode = (typeof modes)[number]
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
