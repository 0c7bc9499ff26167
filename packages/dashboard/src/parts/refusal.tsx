import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'

/** Why a form was refused, where that is about none of its fields. */
export const Refusal = ({ said }: { said: string | undefined }) =>
  said && (
    <Alert color="red" icon={<IconAlertCircle />} role="alert" my="xs">
      {said}
    </Alert>
  )
