// `gapura init` creates the code for a small shop. The shop creates payments, shows payment instructions and verifies
// webhooks. In test mode, the shop can also pay its payments in the sandbox.

import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Argument, type Command } from 'commander'
import type { Cli } from './cli.ts'
import { findProfile } from './config.ts'
import { FailedError, NotLoggedInError } from './failure.ts'
import { note, printJson, printLines } from './output.ts'
import { sandboxUrlOf } from './sandbox.ts'
import { isForService, variableOf } from './session.ts'

/**
 * The dependencies and scripts of each starter shop. The Express and Fastify shops need no build script,
 * because Node 22.18 or newer runs TypeScript directly.
 */
const starters = {
  express: { dependencies: { express: '^5.3.0' }, scripts: { start: 'node --env-file=.env server.ts' } },
  fastify: { dependencies: { fastify: '^5.12.8' }, scripts: { start: 'node --env-file=.env server.ts' } },
  next: {
    dependencies: { next: '^16.4.6', react: '^19.3.1', 'react-dom': '^19.3.1' },
    scripts: { build: 'next build', start: 'next start -H 127.0.0.1', dev: 'next dev -H 127.0.0.1' },
  },
} as const
type Framework = keyof typeof starters

const templates = join(import.meta.dirname, '../starters')
const PORT = 3000

export function addInit(program: Command, cli: Cli): void {
  program
    .command('init')
    .description('create an example shop that creates payments and verifies webhooks')
    .addArgument(
      new Argument('[framework]', 'framework of the shop').choices(Object.keys(starters)).default('express'),
    )
    .argument('[directory]', 'directory for the shop; created if it does not exist', '.')
    .addHelpText(
      'after',
      "\nThe shop's .env file gets your profile's test API key and your tenant's webhook secret.",
    )
    .action((framework: Framework, directory: string) => init(cli, framework, directory))
}

async function init(cli: Cli, framework: Framework, directory: string): Promise<void> {
  const written = existsSync(directory) ? readdirSync(directory) : []
  if (written.length > 0)
    throw new FailedError(
      `${directory} is not empty`,
      `name another directory: gapura init ${framework} shop`,
    )
  const env = await envOf(cli)
  mkdirSync(directory, { recursive: true })
  for (const part of ['shared', framework]) cpSync(join(templates, part), directory, { recursive: true })
  const { scripts, dependencies } = starters[framework]
  const manifest = {
    name: 'gapura-shop',
    private: true,
    type: 'module',
    scripts,
    dependencies: { '@gapura/sdk': '^0.1.0', ...dependencies },
    devDependencies: { '@types/node': '^26.6.6', typescript: '^5.9.3' },
  }
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(join(directory, '.gitignore'), 'node_modules\n.env\n.next\nshop.db*\n')
  const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(directory, '.env'), lines.join(''), { mode: 0o600 })
  show(cli, framework, directory, env)
}

type ShopEnv = Record<
  'GAPURA_BASE_URL' | 'GAPURA_API_KEY' | 'GAPURA_WEBHOOK_SECRET' | 'GAPURA_MODE' | 'GAPURA_SANDBOX_URL',
  string
>

/** Returns the shop's configuration. Values that the CLI does not know are left empty. */
async function envOf(cli: Cli): Promise<ShopEnv> {
  const profile = findProfile(cli.env, cli.profile) ?? {}
  const savedKey = isForService(profile, cli.baseUrl) ? profile.api_key : undefined
  const key = variableOf(cli.env, 'GAPURA_API_KEY') ?? savedKey ?? ''
  return {
    GAPURA_BASE_URL: cli.baseUrl,
    // A live key is never written into the shop's files, because the example payments must not move real money.
    GAPURA_API_KEY: key.startsWith('gp_test_') ? key : '',
    GAPURA_WEBHOOK_SECRET: await secretOf(cli),
    GAPURA_MODE: 'test',
    GAPURA_SANDBOX_URL: knownSandboxUrl(cli),
  }
}

async function secretOf(cli: Cli): Promise<string> {
  try {
    return (await cli.connect('user').webhookEndpoint.get()).secret
  } catch (error) {
    if (error instanceof NotLoggedInError) return ''
    throw error
  }
}

function knownSandboxUrl(cli: Cli): string {
  try {
    return sandboxUrlOf(cli)
  } catch (error) {
    if (error instanceof FailedError) return ''
    throw error
  }
}

function show(cli: Cli, framework: Framework, directory: string, env: ShopEnv): void {
  const missing = Object.keys(env).filter(name => env[name as keyof ShopEnv] === '')
  if (cli.json) {
    printJson(cli, { framework, directory, missing })
    return
  }
  const build = framework === 'next' ? ' && npm run build' : ''
  printLines(cli, [
    `A ${framework} shop is in ${directory}. Start the shop, and open http://127.0.0.1:${PORT}:`,
    '',
    ...(directory === '.' ? [] : [`  cd ${directory}`]),
    `  npm install${build} && npm start`,
    '',
    'In a second terminal, forward webhooks to the shop:',
    '',
    `  gapura webhooks listen --forward-to http://127.0.0.1:${PORT}/webhooks/gapura`,
  ])
  if (missing.length === 0) return
  note(cli, `Set in .env: ${missing.join(', ')}`)
  if (missing.includes('GAPURA_API_KEY')) note(cli, 'A test key: gapura keys create --mode test')
  if (missing.includes('GAPURA_WEBHOOK_SECRET')) note(cli, 'The webhook secret: gapura webhooks secret')
}
