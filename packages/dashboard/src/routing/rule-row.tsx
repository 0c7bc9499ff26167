import { ActionIcon, NumberInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useWords, words } from '../language/language.tsx'
import { MoveButtons } from '../parts/move-buttons.tsx'
import { useRowFields } from '../parts/row-fields.tsx'
import { RupiahInput } from '../parts/rupiah-input.tsx'
import { AccountSelect } from './account-select.tsx'
import type { KnownAccount } from './known-accounts.ts'
import { MethodAndChannel } from './method-and-channel.tsx'
import type { RuleDraft } from './rule-drafts.ts'
import classes from './rule-row.module.css'

const text = words({
  en: {
    position: 'Position',
    method_type: 'Method',
    channel: 'Channel',
    min_amount: 'Minimum amount',
    max_amount: 'Maximum amount',
    provider_account_id: 'Account',
    weight: 'Weight',
    any: 'Any',
    rule: (number: number) => `Rule ${number}`,
    remove: (number: number) => `Remove rule ${number}`,
  },
  id: {
    position: 'Posisi',
    method_type: 'Metode',
    channel: 'Kanal',
    min_amount: 'Jumlah minimum',
    max_amount: 'Jumlah maksimum',
    provider_account_id: 'Akun',
    weight: 'Bobot',
    any: 'Semua',
    rule: (number: number) => `Aturan ${number}`,
    remove: (number: number) => `Hapus aturan ${number}`,
  },
})

const fields = [
  'position',
  'method_type',
  'channel',
  'min_amount',
  'max_amount',
  'provider_account_id',
  'weight',
] as const
type Field = (typeof fields)[number]

/** The column headers for wide screens. Each field also has a label for narrow screens and screen readers. */
export function RuleHead() {
  const t = useWords(text)
  return (
    <div className={classes.head} aria-hidden="true">
      {fields.map(field => (
        <span key={field}>{t[field]}</span>
      ))}
    </div>
  )
}

type Given = {
  rule: RuleDraft
  index: number
  count: number
  accounts: readonly KnownAccount[]
  // biome-ignore lint/suspicious/noExplicitAny: the type that Mantine's form returns
  inputProps: (field: Field) => any
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

export function RuleRow({ rule, index, count, accounts, inputProps, onMove, onRemove }: Given) {
  const t = useWords(text)
  const provider = accounts.find(({ id }) => id === rule.provider_account_id)?.provider ?? null
  const number = index + 1
  const { of, errors } = useRowFields({ fields, labels: t, inputProps, labelClass: classes.label })
  const whole = { min: 0, max: 1_000_000, allowDecimal: false, hideControls: true }
  return (
    <li className={classes.rule}>
      <fieldset aria-label={t.rule(number)} className={classes.fields}>
        <NumberInput {...whole} {...of('position')} />
        <MethodAndChannel provider={provider} rule={rule} of={of} />
        <RupiahInput placeholder={t.any} {...of('min_amount')} />
        <RupiahInput placeholder={t.any} {...of('max_amount')} />
        <AccountSelect accounts={accounts} className={classes.account} {...of('provider_account_id')} />
        <NumberInput {...whole} {...of('weight')} />
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
      {errors}
    </li>
  )
}
