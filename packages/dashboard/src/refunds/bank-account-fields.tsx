import { SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useWords } from '../language/language.tsx'
import { refundFormWords } from './refund-form-words.ts'

/** The type of a form with bank account fields. */
type WithBankAccount = {
  getInputProps(path: 'bank_account.bank' | 'bank_account.number' | 'bank_account.holder_name'): object
}

/** The payer's bank account, to which the operator transfers the refund if the provider cannot make it. */
export function BankAccountFields({ form }: { form: WithBankAccount }) {
  const t = useWords(refundFormWords)
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput label={t.bank} required autoComplete="off" {...form.getInputProps('bank_account.bank')} />
        <TextInput
          label={t.number}
          required
          inputMode="numeric"
          autoComplete="off"
          {...form.getInputProps('bank_account.number')}
        />
      </SimpleGrid>
      <TextInput
        label={t.holder}
        required
        autoComplete="off"
        {...form.getInputProps('bank_account.holder_name')}
      />
    </Stack>
  )
}
