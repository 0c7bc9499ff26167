import classes from './figure.module.css'

/**
 * An amount or a count displayed prominently. Its font shrinks to fit: a truncated or wrapped amount would read as a
 * different one.
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
