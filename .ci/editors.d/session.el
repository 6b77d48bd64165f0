;;; -*- lexical-binding: t -*-
;; A learner's session in Emacs with eglot, from the stub to a right answer. It runs in `emacs --batch`, and goes on when the
;; server has answered. The first step that is not as expected ends it.

(package-initialize)
(require 'cl-lib)
(require 'eglot)
(require 'flymake)

(defvar session-workbook (getenv "WORKBOOK"))
(defvar session-limit 300 "Seconds, for a wait that never ends.")
(defvar session-shown 0 "How often the server has published.")
(defvar session-messages nil "What the server has said.")

(setq make-backup-files nil create-lockfiles nil enable-local-variables nil)

;; The mode for Swift is not part of Emacs.
(define-derived-mode swift-mode prog-mode "Swift")
(add-to-list 'auto-mode-alist '("\\.swift\\'" . swift-mode))
(add-to-list 'eglot-server-programs `(swift-mode . (,(getenv "GRADER") "lsp" "--language" "en")))

(cl-defmethod eglot-handle-notification :after
  (_server (_method (eql textDocument/publishDiagnostics)) &key &allow-other-keys)
  (cl-incf session-shown))

(cl-defmethod eglot-handle-notification :after
  (_server (_method (eql window/showMessage)) &key message &allow-other-keys)
  (push message session-messages))

(defun session-stop (expected found)
  (princ (format "Expected %s, but found %s\n" expected found) #'external-debugging-output)
  (kill-emacs 1))

(defun session-say (step found) (princ (format "%s: %s\n" step found)))

(defun session-wait (expected condition)
  (with-timeout (session-limit (session-stop expected (format "nothing within %s s" session-limit)))
    (while (not (funcall condition)) (accept-process-output nil 1))))

(defun session-diagnostics ()
  "What Emacs shows, a line each."
  (let ((lines (mapcar
                (lambda (item)
                  (format "%s on `%s`: %s"
                          (pcase (flymake-diagnostic-type item)
                            ('eglot-error "error") ('eglot-warning "warning") (_ "information"))
                          (save-excursion
                            (goto-char (flymake-diagnostic-beg item))
                            (string-trim (buffer-substring (line-beginning-position) (line-end-position))))
                          (string-replace "\n" " · " (flymake-diagnostic-text item))))
                (flymake-diagnostics))))
    (if lines (string-join lines "; ") "no diagnostics")))

(defun session-expect (step &rest parts)
  (let ((found (session-diagnostics)))
    (dolist (part parts)
      (unless (string-search part found) (session-stop (format "`%s` after \"%s\"" part step) found)))
    (session-say step found)))

(defun session-published (step act)
  "Does something, and waits until the server publishes because of it.
It does when a verdict comes, and when it goes as the text is another one."
  (let ((before session-shown))
    (funcall act)
    (session-wait (format "diagnostics after \"%s\"" step) (lambda () (> session-shown before)))))

(defun session-save (step)
  (session-published step (lambda () (set-buffer-modified-p t) (let ((inhibit-message t)) (save-buffer)))))

(defun session-type (step act)
  (session-published
   step
   (lambda ()
     (funcall act)
     ;; A batch is never idle: what eglot does then is done here.
     (eglot--signal-textDocument/didChange))))

(defun session-write (path)
  (erase-buffer)
  (insert-file-contents (expand-file-name path session-workbook)))

(defun session ()
  (session-published
   "open the stub"
   (lambda ()
     (switch-to-buffer (find-file-noselect (expand-file-name "Exercises/FirstValue/FirstValue.swift" session-workbook)))
     (apply #'eglot (eglot--guess-contact))
     (flymake-start)))
  (session-save "save the stub")
  (session-expect "save the stub" "no diagnostics")
  (session-type
   "write a property"
   (lambda ()
     (goto-char (point-min))
     (search-forward "await withUnsafeContinuation { _ in }")
     (replace-match "await Task { for await value in first().values { return value }; fatalError() }.value" t t)))
  (session-save "save one of two properties")
  (session-expect "save one of two properties" "information on `public var firstValueThrowing: Output {`"
                  "`firstValueThrowing` is not written yet.")

  (session-type "type a compile error" (lambda () (goto-char (point-max)) (insert "let wrong: Int = \"text\"\n")))
  (session-save "save a compile error")
  (session-expect "save a compile error" "error on `let wrong: Int = \"text\"`" "cannot convert value of type 'String'")
  (session-type "type" (lambda () (goto-char (point-min)) (insert "// More.\n")))
  (session-expect "type without saving" "no diagnostics")

  (session-write "Tests/FirstValueTests/Mutants/NilIsNoValue.swift")
  (session-save "save a wrong answer")
  (session-expect "save a wrong answer" "warning on `public var firstValue: Output {`")

  ;; The next hint, by the menu that eglot shows.
  (goto-char (point-min))
  (search-forward "firstValue: Output")
  (goto-char (match-beginning 0))
  (let ((last-nonmenu-event ?\r) offered found hint)
    (cl-letf (((symbol-function 'completing-read)
               (lambda (_prompt items &rest _)
                 (setq offered (mapcar #'car items))
                 (if (member "Next hint" offered) "Next hint"
                   (session-stop "`Next hint` among the code actions" (string-join offered ", "))))))
      (eglot-code-actions (point) (point) nil t))
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq found (or text "nothing"))))
    (session-wait "a message with the hint" (lambda () session-messages))
    (session-say "code actions" (string-join offered ", "))
    (setq hint (nth 2 (split-string (car session-messages) "\n\n")))
    (unless hint (session-stop "a title, a heading and a hint" (car session-messages)))
    (session-say "next hint" hint)
    (session-wait "an answer to hover" (lambda () found))
    (unless (string-search hint found) (session-stop "the hint in hover" found))
    (session-say "hover" "the hint"))

  (session-type "type the right answer" (lambda () (session-write "Solutions/FirstValue/FirstValue.swift")))
  (session-save "save the right answer")
  (session-expect "save the right answer" "no diagnostics")
  (let ((lens (format "%S" (jsonrpc-request (eglot-current-server) :textDocument/codeLens
                                           (list :textDocument (eglot--TextDocumentIdentifier))))))
    (unless (string-search "100/100" lens) (session-stop "100/100 in the code lens" lens))
    (session-say "code lens" "100/100"))

  (eglot-shutdown (eglot-current-server)))

(condition-case problem (session)
  (error (session-stop "a session without errors" (error-message-string problem))))
