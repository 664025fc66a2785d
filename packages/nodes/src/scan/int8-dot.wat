;; Dot products of one 16-bit query with many 8-bit rows. Rows lie one after the other, each `stride` bytes long, a
;; multiple of 16 padded with zeros. Products of -127..127 and -4095..4095 over at most 4096 places fit 32 bits.
(module
  (memory (export "memory") 2)
  (func (export "scan")
    (param $query i32) (param $rows i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $end i32) (local $q i32) (local $sum v128)
    (block $done
      (loop $row
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $end (i32.add (local.get $rows) (local.get $stride)))
        (local.set $q (local.get $query))
        (loop $chunk
          (local.set $sum
            (i32x4.add
              (local.get $sum)
              (i32x4.add
                (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $rows)) (v128.load (local.get $q)))
                (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $rows)) (v128.load offset=16 (local.get $q))))))
          (local.set $q (i32.add (local.get $q) (i32.const 32)))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (br_if $chunk (i32.lt_u (local.get $rows) (local.get $end))))
        (i32.store (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $row)))))
