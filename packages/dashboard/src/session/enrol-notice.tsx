import { Alert, Text } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'
import { useAccount, useIsPermitted } from './account.ts'

const text = words({
  en: {
    title: 'Protect your account with a second factor',
    asked:
      'Your account can move money or change the service. With a second factor, a stolen password alone is not enough to log in.',
    required: 'Your team requires a second factor. Add one to continue.',
    add: 'Add a second factor',
  },
  id: {
    title: 'Lindungi akun Anda dengan faktor kedua',
    asked:
      'Pengguna Anda dapat memindahkan dana atau mengubah layanan. Dengan faktor kedua, kata sandi yang dicuri saja tidak cukup untuk masuk.',
    required: 'Tim Anda mewajibkan faktor kedua. Tambahkan untuk melanjutkan.',
    add: 'Tambahkan faktor kedua',
  },
})

/**
 * Asks users without a second factor to add one. If the tenant does not require a second factor, only users of the
 * Owner (the service's operator) and users who can move money see this notice.
 */
export function EnrolNotice() {
  const t = useWords(text)
  const { role, has_second_factor, second_factor_required } = useAccount()
  const isFinance = useIsPermitted('finance')
  if (has_second_factor || !(second_factor_required || role === 'owner' || isFinance)) return null
  return (
    <Alert icon={<IconShieldLock />} title={t.title} mb="lg" className="screen-only">
      <Text span inherit {...(!second_factor_required && { visibleFrom: 'xs' })}>
        {second_factor_required ? t.required : t.asked}{' '}
      </Text>
      <TextLink to="/security" size="sm" underline="always">
        {t.add}
      </TextLink>
    </Alert>
  )
}
