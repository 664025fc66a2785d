;; Cosines of one 13-bit query with many 8-bit rows, as upper bounds, keeping only those that reach a threshold.
;;
;; A row is `width` bytes of values (a multiple of 16, padded with zeros), then its scale and its error as 32-bit floats, then
;; 8 bytes unused. Products of -127..127 and -4095..4095 over at most 4096 places fit 32 bits. Each survivor is written as
;; its number and its bound; the answer is how many there are.
(module
  (memory (export "memory") 4)
  (func (export "sift")
    (param $query i32) (param $rows i32) (param $count i32) (param $width i32) (param $out i32)
    (param $queryScale f32) (param $queryError f32) (param $threshold f32)
    (result i32)
    (local $row i32) (local $end i32) (local $q i32) (local $kept i32) (local $sum v128) (local $upper f32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $row) (local.get $count)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $end (i32.add (local.get $rows) (local.get $width)))
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
        ;; dot * scale * queryScale + (error * (1 + queryError) + queryError) + slack
        (local.set $upper
          (f32.add
            (f32.mul
              (f32.mul
                (f32.convert_i32_s
                  (i32.add
                    (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
                    (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
                (f32.load (local.get $rows)))
              (local.get $queryScale))
            (f32.add
              (f32.add
                (f32.mul (f32.load offset=4 (local.get $rows)) (f32.add (f32.const 1) (local.get $queryError)))
                (local.get $queryError))
              (f32.const 0x1p-18))))
        (if (f32.ge (local.get $upper) (local.get $threshold))
          (then
            (i32.store (local.get $out) (local.get $row))
            (f32.store offset=4 (local.get $out) (local.get $upper))
            (local.set $out (i32.add (local.get $out) (i32.const 8)))
            (local.set $kept (i32.add (local.get $kept) (i32.const 1)))))
        (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (br $next)))
    (local.get $kept)))
