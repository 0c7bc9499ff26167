import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Branding } from '@gapura/sdk'
import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { UsageError } from './failure.ts'
import { printFacts, printJson } from './output.ts'

type Logo = Pick<NonNullable<Branding['logo']>, 'content_type' | 'data'>

const types: Record<string, Logo['content_type']> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
}

/**
 * The options of `branding set`. An option is undefined if its flag is absent, and false if the flag starts
 * with `--no-`.
 */
type Flags = { displayName?: string | false; color?: string; logo?: string | false }

export function addBranding(program: Command, cli: Cli): void {
  const branding = program.command('branding').description('The name, color and logo that payers see')

  branding
    .command('get')
    .description('show the branding')
    .action(async () => show(cli, await cli.connect('user').branding.get()))

  branding
    .command('set')
    .description('change the name, color or logo that payers see; values that you omit stay unchanged')
    .option('--display-name <name>', 'name that payers see')
    .option('--no-display-name', 'remove the name, so that payers see the name of your account')
    .option(
      '--color <color>',
      'background color for the name on the payment page, such as #0f766e; "none" for a neutral background',
    )
    .option(
      '--logo <file>',
      'logo on the payment page: a PNG, JPEG or WebP file of at most 100 kB and 1024 × 1024 pixels',
    )
    .option('--no-logo', 'remove the logo')
    .action(async (flags: Flags) => {
      if (Object.keys(flags).length === 0)
        throw new UsageError('pass --display-name, --no-display-name, --color, --logo or --no-logo')
      const logo = flags.logo ? await readLogo(flags.logo) : undefined
      const gapura = cli.connect('user')
      const current = await gapura.branding.get()
      const changed = await gapura.branding.set({
        display_name: flags.displayName === undefined ? current.display_name : flags.displayName || null,
        color: flags.color === undefined ? current.color : flags.color === 'none' ? null : flags.color,
        logo: flags.logo === false ? null : (logo ?? current.logo),
      })
      show(cli, changed)
    })
}

async function readLogo(file: string): Promise<Logo> {
  const content_type = types[extname(file).toLowerCase()]
  if (!content_type) throw new UsageError(`${file}: must be a PNG, JPEG or WebP file`)
  const bytes = await readFile(file).catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}`)
  })
  return { content_type, data: bytes.toString('base64') }
}

function show(cli: Cli, branding: Branding): void {
  if (cli.json) {
    printJson(cli, branding)
    return
  }
  const { display_name, color, logo } = branding
  printFacts(
    cli,
    'Branding',
    [],
    [
      ['name', display_name ?? 'not set, so payers see the name of your account'],
      ['color', color ?? 'not set'],
      [
        'logo',
        logo ? `${logo.url} (${logo.content_type}, ${logo.width} × ${logo.height} pixels)` : 'not set',
      ],
    ],
  )
}
