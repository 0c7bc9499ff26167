import { Select, type SelectProps } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'
import type { Mode } from '../shell/mode.ts'
import { type KnownAccount, useAccountLabel } from './known-accounts.ts'

const text = words({ en: { live: 'Live', test: 'Test' }, id: { live: 'Live', test: 'Uji' } })

/** Among the accounts of both modes. */
export function AccountSelect({ accounts, ...select }: SelectProps & { accounts: readonly KnownAccount[] }) {
  const t = useWords(text)
  const label = useAccountLabel()
  const group = (mode: Mode) => ({
    group: t[mode],
    items: accounts
      .filter(account => account.mode === mode)
      .map(account => ({ value: account.id, label: label(account) })),
  })
  return (
    <Select
      allowDeselect={false}
      searchable
      data={(['live', 'test'] as const).map(group)}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      {...select}
    />
  )
}
