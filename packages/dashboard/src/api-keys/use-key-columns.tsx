import { ActionIcon, Group, Menu, Text } from '@mantine/core'
import { IconDots, IconLock, IconRefresh, IconTrash } from '@tabler/icons-react'
import { dayIn, useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Moment } from '../parts/moment.tsx'
import { Tag } from '../parts/tag.tsx'
import { modeWords } from '../shell/mode-words.ts'
import type { Column } from '../table/data-table.tsx'
import { OnPhone } from '../table/on-phone.tsx'
import { type Key, stateOf } from './key-state.ts'
import { KeyTag } from './key-tag.tsx'

const text = words({
  en: {
    name: 'Name',
    mode: 'Mode',
    key: 'Key',
    status: 'Status',
    used: 'Last used',
    never: 'Never',
    usedOn: (day: string) => `Used ${day}`,
    unused: 'Never used',
    created: 'Created',
    actions: 'Actions',
    actionsOf: (name: string) => `Actions for ${name}`,
    limit: 'Scopes and addresses…',
    limited: 'Limited',
    rotate: 'Rotate…',
    revoke: 'Revoke…',
  },
  id: {
    name: 'Nama',
    mode: 'Mode',
    key: 'Kunci',
    status: 'Status',
    used: 'Terakhir dipakai',
    never: 'Belum pernah',
    usedOn: (day: string) => `Dipakai ${day}`,
    unused: 'Belum pernah dipakai',
    created: 'Dibuat',
    actions: 'Tindakan',
    actionsOf: (name: string) => `Tindakan untuk ${name}`,
    limit: 'Cakupan dan alamat…',
    limited: 'Dibatasi',
    rotate: 'Ganti…',
    revoke: 'Cabut…',
  },
})

/** The action whose dialog is open, and the API key to which the action applies. */
export type KeyAct = { type: 'create' } | { type: 'limit' | 'rotate' | 'revoke'; key: Key }

export function useKeyColumns(begin: (act: KeyAct) => void): Column<Key>[] {
  const t = useWords(text)
  const modes = useWords(modeWords)
  const format = useFormat()
  return [
    {
      id: 'name',
      header: t.name,
      share: 1.7,
      cell: ({ name, mode, display_prefix, scopes, allowed_ips }) => (
        <>
          <span title={name}>{name}</span>{' '}
          {(scopes.length > 0 || allowed_ips.length > 0) && (
            <span title={[...scopes, ...allowed_ips].join(', ')}>
              <Tag tone="over">{t.limited}</Tag>
            </span>
          )}
          <OnPhone>
            <span className="mono">{display_prefix}…</span> · {modes[mode]}
          </OnPhone>
        </>
      ),
    },
    {
      id: 'mode',
      header: t.mode,
      share: 0.6,
      isWhole: true,
      hidden: 'phone',
      cell: ({ mode }) => modes[mode],
    },
    {
      id: 'key',
      header: t.key,
      share: 1.2,
      isWhole: true,
      hidden: 'phone',
      cell: ({ display_prefix }) => <span className="mono">{display_prefix}…</span>,
    },
    {
      id: 'status',
      header: t.status,
      share: 1.55,
      cell: key => (
        <>
          <KeyTag state={stateOf(key, new Date())} />
          <OnPhone>
            {key.last_used_at ? t.usedOn(format.plainDay(dayIn(new Date(key.last_used_at)))) : t.unused}
          </OnPhone>
        </>
      ),
    },
    {
      id: 'used',
      header: t.used,
      share: 1.6,
      align: 'end',
      hidden: 'phone',
      cell: ({ last_used_at }) => (last_used_at ? <Moment at={last_used_at} /> : t.never),
    },
    {
      id: 'created',
      header: t.created,
      share: 1.6,
      align: 'end',
      hidden: 'tablet',
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
    {
      id: 'actions',
      header: t.actions,
      share: 0.5,
      align: 'end',
      isHeaderHidden: true,
      cell: key => <KeyMenu of={key} begin={begin} />,
    },
  ]
}

function KeyMenu({ of: key, begin }: { of: Key; begin: (act: KeyAct) => void }) {
  const t = useWords(text)
  const state = stateOf(key, new Date())
  if (state === 'revoked' || state === 'ended') return null
  return (
    <Group justify="flex-end">
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t.actionsOf(key.name)}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconLock size={16} />} onClick={() => begin({ type: 'limit', key })}>
            {t.limit}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconRefresh size={16} />}
            disabled={state === 'ending'}
            onClick={() => begin({ type: 'rotate', key })}
          >
            {t.rotate}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => begin({ type: 'revoke', key })}>
            <Text size="sm" c="var(--mantine-color-error)">
              {t.revoke}
            </Text>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
