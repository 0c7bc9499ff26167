import { Accordion, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Outputs } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { FeeRules } from './fee-rules.tsx'

type Version = Outputs['fees']['history'][number]

const text = words({
  en: {
    inForce: 'Fees in force',
    none: 'No fee version is in force yet.',
    upcoming: 'Fees to come',
    past: 'Earlier versions',
    version: (number: number, at: string) => `Version ${number}, from ${at}`,
    kept: 'A refund does not return the fee.',
    returned: 'A refund returns the fee in proportion to the refunded amount.',
  },
  id: {
    inForce: 'Biaya yang berlaku',
    none: 'Belum ada versi yang berlaku.',
    upcoming: 'Biaya yang akan datang',
    past: 'Versi sebelumnya',
    version: (number: number, at: string) => `Versi ${number}, mulai ${at}`,
    kept: 'Pengembalian dana tidak mengembalikan biaya.',
    returned: 'Pengembalian dana mengembalikan biaya secara proporsional.',
  },
})

/** Shows all versions of a fee schedule. The first item of the list `versions` must be the latest version. */
export function FeeVersions({ versions, action }: { versions: readonly Version[]; action: ReactNode }) {
  const t = useWords(text)
  const format = useFormat()
  const titleOf = ({ version, effective_from }: Version) => t.version(version, format.time(effective_from))
  const of = (state: Version['state']) => versions.filter(version => version.state === state)
  const [current] = of('in_force')
  const past = of('past')
  return (
    <>
      <Panel title={t.inForce} actions={action}>
        {current ? (
          <OneVersion version={current} title={titleOf(current)} />
        ) : (
          <Text size="sm" c="dimmed" pt="xs">
            {t.none}
          </Text>
        )}
      </Panel>
      {of('upcoming')
        .toReversed()
        .map(version => (
          <Panel key={version.version} title={t.upcoming}>
            <OneVersion version={version} title={titleOf(version)} />
          </Panel>
        ))}
      {past.length > 0 && (
        <Panel title={t.past} isFlush>
          <Accordion variant="default" pb="xs">
            {past.map(version => (
              <Accordion.Item key={version.version} value={String(version.version)}>
                <Accordion.Control fz="sm">{titleOf(version)}</Accordion.Control>
                <Accordion.Panel>
                  <OneVersion version={version} />
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        </Panel>
      )}
    </>
  )
}

function OneVersion({ version, title }: { version: Version; title?: string }) {
  const t = useWords(text)
  return (
    <Stack gap="xs">
      {title && (
        <Text size="sm" c="dimmed">
          {title}
        </Text>
      )}
      <FeeRules rules={version.rules} />
      <Text size="xs" c="dimmed">
        {version.refund_fees ? t.returned : t.kept}
      </Text>
    </Stack>
  )
}
