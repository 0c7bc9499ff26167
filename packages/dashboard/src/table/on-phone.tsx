import type { ReactNode } from 'react'
import classes from './on-phone.module.css'

/** On a phone, shows a hidden column's content below another column's value. */
export const OnPhone = ({ children }: { children: ReactNode }) => (
  <div className={classes.onPhone}>{children}</div>
)
