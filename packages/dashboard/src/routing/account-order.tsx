import { ActionIcon, Select, Text, VisuallyHidden } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useWords, words } from '../language/language.tsx'
import { MoveButtons } from '../parts/move-buttons.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { Tag } from '../parts/tag.tsx'
import { useProviderName } from '../payments/provider-name.ts'
import type { Mode } from '../shell/mode.ts'
import classes from './account-order.module.css'
import { type KnownAccount, useAccountLabel } from './known-accounts.ts'
import { moved } from './moved.ts'

const text = words({
  en: {
    title: { live: 'Live', test: 'Test' },
    none: { live: 'No live account', test: 'No test account' },
    how: {
      live: 'Live payments are rejected until you add a provider account.',
      test: 'Test payments are rejected until you add a provider account.',
    },
    disabled: 'Disabled',
    remove: (name: string) => `Remove ${name}`,
    add: 'Add an account',
    place: (name: string, place: number, count: number) => `${name} is now at position ${place} of ${count}`,
  },
  id: {
    title: { live: 'Live', test: 'Uji coba' },
    none: { live: 'Tidak ada akun live', test: 'Tidak ada akun uji coba' },
    how: {
      live: 'Pembayaran live ditolak sampai Anda menambahkan akun penyedia.',
      test: 'Pembayaran uji coba ditolak sampai Anda menambahkan akun penyedia.',
    },
    disabled: 'Nonaktif',
    remove: (name: string) => `Hapus ${name}`,
    add: 'Tambah akun',
    place: (name: string, place: number, count: number) => `${name} sekarang urutan ${place} dari ${count}`,
  },
})

type Given = {
  mode: Mode
  accounts: readonly KnownAccount[]
  /** The provider accounts the user can add to the order because they are not yet in it. */
  others: readonly KnownAccount[]
  onChange: (ids: string[]) => void
  /**
   * True if the user may not change the order of the provider accounts. Only admins may change an order. Only
   * the Owner (the service's operator) may change the order of a Partner's own accounts.
   */
  isFixed: boolean
}

export function AccountOrder({ mode, accounts, others, onChange, isFixed }: Given) {
  const t = useWords(text)
  const label = useAccountLabel()
  const providerName = useProviderName()
  const [said, say] = useState('')
  const ids = accounts.map(({ id }) => id)
  const move = (account: KnownAccount, index: number, by: -1 | 1) => {
    onChange(moved(ids, index, by))
    say(t.place(label(account), index + by + 1, ids.length))
  }
  return (
    <Panel title={t.title[mode]} isFlush>
      {accounts.length === 0 && <Empty title={t.none[mode]}>{t.how[mode]}</Empty>}
      <ol className={classes.list}>
        {accounts.map((account, index) => (
          <li key={account.id} className={classes.item}>
            <Text fw={600} c="dimmed" className="figures">
              {index + 1}
            </Text>
            <div className={classes.name}>
              <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                {label(account)}
              </Text>
              <Text size="xs" c="dimmed">
                {providerName(account.provider)}
              </Text>
            </div>
            {!account.enabled && <Tag tone="over">{t.disabled}</Tag>}
            {!isFixed && (
              <div className={classes.acts}>
                <MoveButtons
                  name={label(account)}
                  isFirst={index === 0}
                  isLast={index === accounts.length - 1}
                  onMove={by => move(account, index, by)}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t.remove(label(account))}
                  title={t.remove(label(account))}
                  onClick={() => onChange(ids.toSpliced(index, 1))}
                >
                  <IconX size={16} />
                </ActionIcon>
              </div>
            )}
          </li>
        ))}
      </ol>
      {!isFixed && others.length > 0 && (
        <div className={classes.add}>
          <Select
            aria-label={`${t.add}: ${t.title[mode]}`}
            placeholder={t.add}
            searchable
            value={null}
            onChange={id => id && onChange([...ids, id])}
            data={others.map(account => ({
              value: account.id,
              label: account.enabled ? label(account) : `${label(account)} (${t.disabled})`,
            }))}
            maw={360}
          />
        </div>
      )}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </Panel>
  )
}
