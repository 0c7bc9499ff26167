import { Select, type SelectProps } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'
import type { Mode } from '../shell/mode.ts'
import { modeWords } from '../shell/mode-words.ts'
import { type KnownAccount, useAccountLabel } from './known-accounts.ts'

const text = words({ en: { choose: 'Choose an account' }, id: { choose: 'Pilih akun' } })

/** A select input for provider accounts in both modes (live and test), grouped by mode. */
export function AccountSelect({ accounts, ...select }: SelectProps & { accounts: readonly KnownAccount[] }) {
  const names = useWords(modeWords)
  const label = useAccountLabel()
  const t = useWords(text)
  const group = (mode: Mode) => ({
    group: names[mode],
    items: accounts
      .filter(account => account.mode === mode)
      .map(account => ({ value: account.id, label: label(account) })),
  })
  return (
    <Select
      allowDeselect={false}
      searchable
      placeholder={t.choose}
      data={(['live', 'test'] as const).map(group)}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      {...select}
    />
  )
}
