import classes from './figure.module.css'

/**
 * Shows an amount or a count prominently. The font shrinks to fit the text, because a truncated or wrapped amount
 * could be misread.
 */
export const Figure = ({ children, largest = '1.25rem' }: { children: string; largest?: string }) => (
  <div className={classes.room}>
    <div
      className={classes.figure}
      style={{ ['--length' as string]: children.length, ['--largest' as string]: largest }}
    >
      {children}
    </div>
  </div>
)
