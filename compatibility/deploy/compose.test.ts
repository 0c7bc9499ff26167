// Checks deploy/compose.yaml against the Compose Specification's schema, and checks that every container is
// hardened.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DCLinter } from 'dclint'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'

const file = join(import.meta.dirname, '../../deploy/compose.yaml')

const linter = new DCLinter({
  quiet: true,
  debug: false,
  exclude: [],
  rules: {
    // This linter rule forbids a service with both `build` and `image`. The rule is off, because compose.yaml
    // builds an image and also names it.
    'no-build-and-image': 0,
    // This linter rule is off, because compose.yaml lists the services in the order in which requests reach
    // them, not alphabetically.
    'services-alphabetical-order': 0,
    'service-keys-order': 0,
    'top-level-properties-order': 0,
    // Ports must have double quotes, as in the YAML formatting that Biome enforces.
    'require-quotes-in-ports': [2, { quoteType: 'double' }],
    // Images built from a clone of the repository have no version, so this rule, which requires a version for
    // each image, is off.
    'service-image-require-explicit-tag': 0,
  },
})
type Found = { messages: { message: string }[] }
const complaintsOf = (path: string): string[] =>
  linter.lintFiles([path], false).flatMap(({ messages }: Found) => messages.map(({ message }) => message))

type Service = {
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  deploy?: { resources?: { limits?: { cpus?: string; memory?: string } } }
  ports?: string[]
  command?: string[]
  depends_on?: Record<string, { condition: string }>
  networks?: string[]
  stop_grace_period?: string
}
const text = await readFile(file, 'utf8')
const { services } = parse(text, { merge: true }) as { services: Record<string, Service> }

test('the compose file matches the Compose Specification and has no linter errors', () => {
  expect(complaintsOf(file)).toEqual([])
})

test.each([
  ['an unknown property', text.replaceAll('read_only:', 'readonly:')],
  ['an unknown condition', text.replaceAll('service_healthy', 'service_well')],
  ['a port that is open to the network', text.replace(/"127\.0\.0\.1:.*:8080"/, '"8080:8080"')],
])('the linter reports an error if the compose file contains %s', async (_, slipped) => {
  expect(slipped).not.toBe(text)
  const directory = await mkdtemp(join(tmpdir(), 'gapura-compose-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await writeFile(join(directory, 'compose.yaml'), slipped)
  expect(complaintsOf(join(directory, 'compose.yaml'))).not.toEqual([])
})

describe('the compose file runs each part of the service in its own restricted container', () => {
  test('in the compose file, the API and worker containers wait for the migration container', () => {
    expect(Object.keys(services)).toEqual(['api', 'worker', 'migrate', 'postgres', 'sandbox'])
    for (const role of ['api', 'worker']) {
      expect(services[role]?.command).toEqual(['start', '--role', role])
      expect(services[role]?.depends_on?.migrate?.condition).toBe('service_completed_successfully')
    }
    expect(services.migrate?.depends_on?.postgres?.condition).toBe('service_healthy')
  })

  test.each(Object.entries(services))(
    'the container %s in the compose file has a read-only file system, no privileges, and limits on CPU and memory',
    (_, service) => {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
      expect(service.deploy?.resources?.limits).toEqual({
        cpus: expect.any(String),
        memory: expect.stringMatching(/^\d+[MG]$/),
      })
    },
  )

  test('in the compose file, the service is exposed only to the local machine, and the database only to containers', () => {
    for (const { ports = [] } of Object.values(services))
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
    const nextToDatabase = Object.keys(services).filter(name =>
      services[name]?.networks?.includes('database'),
    )
    expect(nextToDatabase).toEqual(['api', 'worker', 'migrate', 'postgres'])
    expect(services.postgres?.networks).toEqual(['database'])
  })

  test('services in the compose file have at least the shutdown time that the scaling guide recommends', async () => {
    const scaling = await readFile(join(import.meta.dirname, '../../docs/guides/scaling.md'), 'utf8')
    for (const role of ['api', 'worker']) {
      const asked = Number(new RegExp(`^\\| [^|]*\`${role}\`[^|]*\\| (\\d+) s`, 'm').exec(scaling)?.[1])
      expect(Number.parseInt(services[role]?.stop_grace_period ?? '', 10)).toBeGreaterThanOrEqual(asked)
    }
  })
})
