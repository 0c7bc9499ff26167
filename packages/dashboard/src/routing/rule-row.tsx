import { ActionIcon, Autocomplete, NumberInput, Select } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useWords, words } from '../language/language.tsx'
import { MoveButtons } from '../parts/move-buttons.tsx'
import { RupiahInput } from '../parts/rupiah-input.tsx'
import { methodTypes, methodWords } from '../payments/payment-words.ts'
import { AccountSelect } from './account-select.tsx'
import type { KnownAccount } from './known-accounts.ts'
import { useOfferedChannels } from './offered-channels.ts'
import type { RuleDraft } from './rule-drafts.ts'
import classes from './rule-row.module.css'

const text = words({
  en: {
    position: 'Position',
    method: 'Method',
    channel: 'Channel',
    from: 'Amount from',
    to: 'Amount to',
    account: 'Account',
    weight: 'Weight',
    any: 'Any',
    rule: (number: number) => `Rule ${number}`,
    remove: (number: number) => `Remove rule ${number}`,
  },
  id: {
    position: 'Posisi',
    method: 'Metode',
    channel: 'Kanal',
    from: 'Jumlah dari',
    to: 'Jumlah sampai',
    account: 'Akun',
    weight: 'Bobot',
    any: 'Semua',
    rule: (number: number) => `Aturan ${number}`,
    remove: (number: number) => `Hapus aturan ${number}`,
  },
})

/** What stands above the columns where there is room for them; each field has its name besides. */
export function RuleHead() {
  const t = useWords(text)
  return (
    <div className={classes.head} aria-hidden="true">
      {[t.position, t.method, t.channel, t.from, t.to, t.account, t.weight].map(name => (
        <span key={name}>{name}</span>
      ))}
    </div>
  )
}

type Field = Exclude<keyof RuleDraft, 'key'>
type Given = {
  rule: RuleDraft
  index: number
  count: number
  accounts: readonly KnownAccount[]
  // biome-ignore lint/suspicious/noExplicitAny: as Mantine's form has it
  inputProps: (field: Field) => any
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

export function RuleRow({ rule, index, count, accounts, inputProps, onMove, onRemove }: Given) {
  const t = useWords(text)
  const methods = useWords(methodWords)
  const channelsOf = useOfferedChannels()
  const provider = accounts.find(({ id }) => id === rule.provider_account_id)?.provider ?? null
  const channel = inputProps('channel')
  const number = index + 1
  return (
    <li className={classes.rule}>
      <fieldset aria-label={t.rule(number)} className={classes.fields}>
        <NumberInput
          label={t.position}
          classNames={{ label: classes.label }}
          min={0}
          max={1_000_000}
          allowDecimal={false}
          hideControls
          {...inputProps('position')}
        />
        <Select
          label={t.method}
          classNames={{ label: classes.label }}
          placeholder={t.any}
          clearable
          data={methodTypes.map(value => ({ value, label: methods[value] }))}
          {...inputProps('method_type')}
        />
        <Autocomplete
          label={t.channel}
          classNames={{ label: classes.label }}
          placeholder={t.any}
          data={channelsOf(provider, rule.method_type).map(({ value }) => value)}
          {...channel}
          value={rule.channel ?? ''}
          onChange={typed => channel.onChange(typed === '' ? null : typed)}
        />
        <RupiahInput
          label={t.from}
          classNames={{ label: classes.label }}
          placeholder={t.any}
          {...inputProps('min_amount')}
        />
        <RupiahInput
          label={t.to}
          classNames={{ label: classes.label }}
          placeholder={t.any}
          {...inputProps('max_amount')}
        />
        <AccountSelect
          label={t.account}
          classNames={{ label: classes.label }}
          accounts={accounts}
          {...inputProps('provider_account_id')}
        />
        <NumberInput
          label={t.weight}
          classNames={{ label: classes.label }}
          min={1}
          max={1_000_000}
          allowDecimal={false}
          hideControls
          {...inputProps('weight')}
        />
        <div className={classes.acts}>
          <MoveButtons
            name={t.rule(number)}
            isFirst={index === 0}
            isLast={index === count - 1}
            onMove={onMove}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t.remove(number)}
            title={t.remove(number)}
            onClick={onRemove}
          >
            <IconX size={16} />
          </ActionIcon>
        </div>
      </fieldset>
    </li>
  )
}
